// Sixteen lanes, with AVX-512.

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512))),         \
    apply_to = function                                                                           \
)
#define LANES 16
#define NAME(name) name##_avx512
#define gather(map, cells) ((floats)_mm512_i32gather_ps((__m512i)(cells), (map), 4))
#define times(value, factor)                                                                      \
    ((ints)_mm512_madd_epi16((__m512i)(value), _mm512_set1_epi32(factor)))
#include "loops.h"
#pragma clang attribute pop
#endif
