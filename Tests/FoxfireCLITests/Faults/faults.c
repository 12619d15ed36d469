/* A medium that fails, for LD_PRELOAD: of the files whose path holds FAULT_PATH,
 *
 *   FAULT=short   writes take at most 100 bytes at a time,
 *   FAULT=flip    one bit of the byte at FAULT_AT changes on its way to the medium,
 *   FAULT=write   writes fail with FAULT_ERROR (a number) from the byte FAULT_AT on,
 *   FAULT=read    reads fail so,
 *   FAULT=sync    fsync fails with FAULT_ERROR,
 *   FAULT=rename  rename and link fail with FAULT_ERROR,
 *   FAULT=kill    renaming kills the program.
 *
 * FAULT_FREE is how many bytes statvfs finds free, on any file system. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int is(const char *fault) {
    const char *set = getenv("FAULT");
    return set && strcmp(set, fault) == 0;
}

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int concerns(const char *path) {
    const char *part = getenv("FAULT_PATH");
    return part && strstr(path, part);
}

static int concerns_file(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return concerns(path);
}

static int fail(void) {
    errno = (int)number("FAULT_ERROR");
    return -1;
}

ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (!getenv("FAULT") || count == 0 || !concerns_file(file)) return next(file, bytes, count);
    if (is("short")) return next(file, bytes, count < 100 ? count : 100);
    off_t begin = lseek(file, 0, SEEK_CUR), at = number("FAULT_AT");
    int is_here = at >= begin && at < begin + (off_t)count;
    if (is("write") && at <= begin) return fail();
    if (is("write") && is_here) return next(file, bytes, (size_t)(at - begin));
    if (!is("flip") || !is_here) return next(file, bytes, count);
    char *copy = malloc(count);
    memcpy(copy, bytes, count);
    copy[at - begin] ^= 1;
    ssize_t done = next(file, copy, count);
    free(copy);
    return done;
}

ssize_t read(int file, void *bytes, size_t count) {
    static ssize_t (*next)(int, void *, size_t);
    if (!next) next = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    if (is("read") && concerns_file(file) && lseek(file, 0, SEEK_CUR) >= number("FAULT_AT"))
        return fail();
    return next(file, bytes, count);
}

int fsync(int file) {
    static int (*next)(int);
    if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return is("sync") && concerns_file(file) ? fail() : next(file);
}

int link(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (!next) next = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
    return is("rename") && concerns(to) ? fail() : next(from, to);
}

int rename(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (!next) next = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (is("kill") && concerns(to)) kill(getpid(), SIGKILL);
    return is("rename") && concerns(to) ? fail() : next(from, to);
}

int statvfs(const char *path, struct statvfs *status) {
    static int (*next)(const char *, struct statvfs *);
    if (!next) next = (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
    int code = next(path, status);
    if (code == 0 && getenv("FAULT_FREE") && concerns(path)) {
        status->f_frsize = 1024;
        status->f_bavail = (fsblkcnt_t)number("FAULT_FREE") / 1024;
    }
    return code;
}
