#include "CKernels.h"
#include "widths.h"

foxfire_width foxfire_widest(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return FOXFIRE_WIDTH_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) { return FOXFIRE_WIDTH_AVX2; }
#endif
    return FOXFIRE_WIDTH_BASELINE;
}

#if defined(__x86_64__)
#define CHOOSE(width, name, ...)                                                                  \
    switch (width) {                                                                              \
    case FOXFIRE_WIDTH_AVX512: name##_avx512(__VA_ARGS__); break;                                 \
    case FOXFIRE_WIDTH_AVX2: name##_avx2(__VA_ARGS__); break;                                     \
    case FOXFIRE_WIDTH_BASELINE: name##_baseline(__VA_ARGS__); break;                             \
    }
#else
#define CHOOSE(width, name, ...)                                                                  \
    (void)width;                                                                                  \
    name##_baseline(__VA_ARGS__);
#endif

void foxfire_move(
    foxfire_width width,
    const foxfire_step *step,
    const foxfire_agents *agents,
    size_t first,
    size_t last,
    uint32_t *counts
) {
    CHOOSE(width, foxfire_move, step, agents, first, last, counts)
}

void foxfire_mix(
    foxfire_width width,
    const float *const *maps,
    const float *weights,
    size_t count,
    size_t length,
    float *target
) {
    CHOOSE(width, foxfire_mix, maps, weights, count, length, target)
}

void foxfire_add_deposits(
    foxfire_width width,
    const float *trail,
    const uint32_t *counts,
    size_t length,
    float deposit,
    float *target
) {
    CHOOSE(width, foxfire_add_deposits, trail, counts, length, deposit, target)
}

void foxfire_blur(
    foxfire_width width,
    const float *centre,
    const float *const *before,
    const float *const *after,
    const float *weights,
    size_t pairs,
    size_t length,
    float *target
) {
    CHOOSE(width, foxfire_blur, centre, before, after, weights, pairs, length, target)
}
