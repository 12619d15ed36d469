/*
 * lumencap.h: writes capture logs (.lumencap), for clients in any language that calls C.
 *
 * One header, no library: POSIX and C99. docs/lumencap.md is the format's page. Each record goes to the
 * system in one call, so that a kill of the process loses none; once a second, and at the end, all is put on
 * the medium. Functions return 0, or -1 with errno. One thread at a time.
 *
 *     struct lumencap log;
 *     lumencap_create(&log, "session.lumencap", random_number,
 *         "{\"clock\":\"unix\",\"streams\":[{\"stream\":0,\"kind\":\"video\",\"codec\":\"hevc\"},"
 *         "{\"stream\":1,\"kind\":\"audio\",\"codec\":\"opus\",\"channels\":2}]}");
 *     lumencap_video(&log, unit, length, flags, frame_index, pts_ns, received_ns);
 *     lumencap_audio(&log, packet, length, sequence, pts_ns, received_ns, 0);
 *     lumencap_close(&log);
 */
#ifndef LUMENCAP_H
#define LUMENCAP_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a record holds. */
enum {
    LUMENCAP_DESCRIPTION = 0,
    LUMENCAP_VIDEO = 1,
    LUMENCAP_AUDIO = 2,
    LUMENCAP_HDR = 3,
    LUMENCAP_MODE = 4,
    LUMENCAP_CLOCK_STEP = 5,
    LUMENCAP_END = 255
};

/* Beside the host's flags. */
#define LUMENCAP_REDUNDANCY 0x80000000u /* the payload is the body of a datagram 0xD2 */
#define LUMENCAP_PARTIAL 0x40000000u    /* not all of the unit came */

#define LUMENCAP_LONGEST (64u << 20) /* of a payload, in bytes */

/* A log that is being written. */
struct lumencap {
    int descriptor;
    time_t synced;
    uint32_t table[256];
};

/* What a record's header holds beside lengths and checks. */
struct lumencap_stamp {
    uint8_t type;
    uint8_t stream;
    uint32_t flags;
    uint32_t index;
    uint64_t pts_ns;
    uint64_t received_ns;
};

static inline uint32_t lumencap_crc32c(const struct lumencap *log, const uint8_t *bytes, size_t count) {
    uint32_t rest = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++) rest = rest >> 8 ^ log->table[(rest ^ bytes[i]) & 0xFF];
    return ~rest;
}

static inline void lumencap_put(uint8_t *target, uint64_t number, int count) {
    for (int i = 0; i < count; i++) target[i] = (uint8_t)(number >> (8 * i));
}

static inline uint64_t lumencap_get(const uint8_t *source, int count) {
    uint64_t number = 0;
    for (int i = count; i-- > 0;) number = number << 8 | source[i];
    return number;
}

static inline void lumencap_begin(struct lumencap *log) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int i = 0; i < 8; i++) rest = rest & 1 ? rest >> 1 ^ 0x82F63B78u : rest >> 1;
        log->table[byte] = rest;
    }
    log->descriptor = -1;
    log->synced = time(NULL);
}

/* Writes all parts, however often the system takes only some. */
static inline int lumencap_write_parts(int descriptor, struct iovec *part, int count) {
    while (count > 0) {
        ssize_t written = writev(descriptor, part, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -1;
        while (count > 0 && (size_t)written >= part->iov_len) {
            written -= (ssize_t)part->iov_len;
            part++;
            count--;
        }
        if (count > 0) {
            part->iov_base = (uint8_t *)part->iov_base + written;
            part->iov_len -= (size_t)written;
        }
    }
    return 0;
}

/* Writes one record of any type. */
static inline int lumencap_record(
    struct lumencap *log, const struct lumencap_stamp *stamp, const void *payload, size_t length) {
    static const uint8_t zeros[8] = {0};
    uint8_t header[48] = {'L', 'M', 'C', 'R'};
    struct iovec parts[3];
    time_t now;
    if (length > LUMENCAP_LONGEST) {
        errno = EMSGSIZE;
        return -1;
    }
    header[4] = stamp->type;
    header[5] = stamp->stream;
    lumencap_put(header + 8, stamp->flags, 4);
    lumencap_put(header + 12, stamp->index, 4);
    lumencap_put(header + 16, stamp->pts_ns, 8);
    lumencap_put(header + 24, stamp->received_ns, 8);
    lumencap_put(header + 32, length, 4);
    lumencap_put(header + 36, lumencap_crc32c(log, (const uint8_t *)payload, length), 4);
    lumencap_put(header + 44, lumencap_crc32c(log, header, 44), 4);
    parts[0].iov_base = header;
    parts[0].iov_len = sizeof header;
    parts[1].iov_base = (void *)(uintptr_t)payload;
    parts[1].iov_len = length;
    parts[2].iov_base = (void *)(uintptr_t)zeros;
    parts[2].iov_len = (8 - length % 8) % 8;
    if (lumencap_write_parts(log->descriptor, parts, 3) != 0) return -1;
    now = time(NULL);
    if (now == log->synced) return 0;
    log->synced = now;
    return fdatasync(log->descriptor);
}

/* Says what the streams are, from here on; again whenever anything in it changes. */
static inline int lumencap_describe(struct lumencap *log, const char *json) {
    struct lumencap_stamp stamp = {LUMENCAP_DESCRIPTION, 0, 0, 0, 0, 0};
    return lumencap_record(log, &stamp, json, strlen(json));
}

/* Begins a log; a file that is there is left as it is. */
static inline int lumencap_create(
    struct lumencap *log, const char *path, uint64_t session, const char *json) {
    uint8_t header[24] = {0x89, 'L', 'C', 'A', 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 0, 0};
    struct iovec part;
    lumencap_begin(log);
    lumencap_put(header + 12, session, 8);
    lumencap_put(header + 20, lumencap_crc32c(log, header, 20), 4);
    log->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (log->descriptor < 0) return -1;
    part.iov_base = header;
    part.iov_len = sizeof header;
    if (lumencap_write_parts(log->descriptor, &part, 1) != 0) return -1;
    return lumencap_describe(log, json);
}

/*
 * Goes on with a log: what a crash left behind the last whole record is cut off. It follows records from
 * the start and stops at the first that is not whole, so a log that is damaged in its middle is refused
 * with EBADMSG: begin another one then.
 */
static inline int lumencap_append(struct lumencap *log, const char *path, const char *json) {
    uint8_t header[48];
    off_t end = 24, size;
    lumencap_begin(log);
    log->descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (log->descriptor < 0) return -1;
    size = lseek(log->descriptor, 0, SEEK_END);
    if (pread(log->descriptor, header, 24, 0) != 24 || memcmp(header, "\x89LCA\r\n\x1a\n", 8) != 0
        || lumencap_get(header + 20, 4) != lumencap_crc32c(log, header, 20)) {
        errno = EBADMSG;
        return -1;
    }
    while (pread(log->descriptor, header, 48, end) == 48) {
        off_t next = end + 48 + (off_t)((lumencap_get(header + 32, 4) + 7) & ~(uint64_t)7);
        if (memcmp(header, "LMCR", 4) != 0
            || lumencap_get(header + 44, 4) != lumencap_crc32c(log, header, 44)) {
            errno = EBADMSG;
            return -1;
        }
        if (next > size) break;
        end = next;
    }
    if (ftruncate(log->descriptor, end) != 0 || lseek(log->descriptor, end, SEEK_SET) < 0) return -1;
    return lumencap_describe(log, json);
}

/* Writes an access unit, as the decoder would get it. */
static inline int lumencap_video(
    struct lumencap *log, const void *unit, size_t length, uint32_t flags, uint32_t index,
    uint64_t pts_ns, uint64_t received_ns) {
    struct lumencap_stamp stamp = {LUMENCAP_VIDEO, 0, flags, index, pts_ns, received_ns};
    return lumencap_record(log, &stamp, unit, length);
}

/* Writes a packet of audio; flags are 0 or LUMENCAP_REDUNDANCY. */
static inline int lumencap_audio(
    struct lumencap *log, const void *packet, size_t length, uint32_t sequence, uint64_t pts_ns,
    uint64_t received_ns, uint32_t flags) {
    struct lumencap_stamp stamp = {LUMENCAP_AUDIO, 1, flags, sequence, pts_ns, received_ns};
    return lumencap_record(log, &stamp, packet, length);
}

/* Ends the log and puts all of it on the medium. */
static inline int lumencap_close(struct lumencap *log) {
    struct lumencap_stamp stamp = {LUMENCAP_END, 0, 0, 0, 0, 0};
    int failed = lumencap_record(log, &stamp, "", 0) != 0 || fdatasync(log->descriptor) != 0;
    int code = errno;
    if (close(log->descriptor) != 0) return -1;
    log->descriptor = -1;
    errno = code;
    return failed ? -1 : 0;
}

#ifdef __cplusplus
}
#endif

#endif
