#ifndef FOXFIRE_CLIBAV_SHIM_H
#define FOXFIRE_CLIBAV_SHIM_H

#include <errno.h>
#include <stdbool.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libavutil/tx.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* Swift sees no macro that computes: these are the ones we use, as constants. */
static const int foxfire_error_eof = AVERROR_EOF;
static const int foxfire_error_again = AVERROR(EAGAIN);
static const int foxfire_error_io = AVERROR(EIO);
static const int foxfire_error_nomem = AVERROR(ENOMEM);
static const int foxfire_error_denied = AVERROR(EACCES);
static const int foxfire_error_invalid_data = AVERROR_INVALIDDATA;
static const int64_t foxfire_no_time = AV_NOPTS_VALUE;
static const enum AVPixelFormat foxfire_rgb48 = AV_PIX_FMT_RGB48;
static const enum AVPixelFormat foxfire_rgba64 = AV_PIX_FMT_RGBA64;
static const enum AVPixelFormat foxfire_yuv420p10 = AV_PIX_FMT_YUV420P10;
static const enum AVPixelFormat foxfire_yuv422p10 = AV_PIX_FMT_YUV422P10;
static const enum AVPixelFormat foxfire_yuv444p10 = AV_PIX_FMT_YUV444P10;
static const int foxfire_flag_closed_gop = (int)AV_CODEC_FLAG_CLOSED_GOP;
static const uint32_t foxfire_tag_hvc1 = MKTAG('h', 'v', 'c', '1');

/* libavdevice has the major version of its libavformat. */
static const int foxfire_device_version = LIBAVFORMAT_VERSION_MAJOR;

/* Names that changed between versions of FFmpeg. */
static inline int64_t foxfire_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/* Whether the Matroska writer itself moves times by the priming that it declares. */
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 12, 100)
static const bool foxfire_matroska_moves_priming = true;
#else
static const bool foxfire_matroska_moves_priming = false;
#endif

static inline AVIOContext *foxfire_alloc_writer(
    unsigned char *buffer, int size, void *opaque,
    int (*write)(void *opaque, const uint8_t *bytes, int count),
    int64_t (*seek)(void *opaque, int64_t offset, int whence)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
    return avio_alloc_context(
        buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

#endif
