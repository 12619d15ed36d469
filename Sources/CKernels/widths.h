// The loops of each width, by name.

#ifndef FOXFIRE_WIDTHS_H
#define FOXFIRE_WIDTHS_H

#include "CKernels.h"

#define DECLARE(suffix)                                                                           \
    void foxfire_move_##suffix(                                                                   \
        const foxfire_step *, const foxfire_agents *, size_t, size_t, uint32_t *                  \
    );                                                                                            \
    void foxfire_mix_##suffix(                                                                    \
        const float *const *, const float *, size_t, size_t, float *                              \
    );                                                                                            \
    void foxfire_add_deposits_##suffix(                                                           \
        const float *, const uint32_t *, size_t, float, float *                                   \
    );                                                                                            \
    void foxfire_blur_##suffix(                                                                   \
        const float *, const float *const *, const float *const *, const float *, size_t, size_t, \
        float *                                                                                   \
    );

DECLARE(baseline)
DECLARE(avx2)
DECLARE(avx512)

#endif
