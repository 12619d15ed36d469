// Eight lanes, with AVX2.

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define LANES 8
#define NAME(name) name##_avx2
#define gather(map, cells) ((floats)_mm256_i32gather_ps((map), (__m256i)(cells), 4))
#define times(value, factor)                                                                      \
    ((ints)_mm256_madd_epi16((__m256i)(value), _mm256_set1_epi32(factor)))
#include "loops.h"
#pragma clang attribute pop
#endif
