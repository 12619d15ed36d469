#include <opus/opus_multistream.h>

/* Swift cannot call functions with a variable list of arguments. */
static inline int foxfire_opus_set_constant_rate(OpusMSEncoder *encoder, int bits_per_second) {
    int code = opus_multistream_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
    return code == OPUS_OK ? opus_multistream_encoder_ctl(encoder, OPUS_SET_VBR(0)) : code;
}
