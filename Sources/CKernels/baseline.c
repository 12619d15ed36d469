// Four lanes, with nothing but what every machine has. Not eight: the work on eight does not fit the
// sixteen registers of plain x86-64.

#define LANES 4
#define NAME(name) name##_baseline
#define gather(map, cells) ((floats){(map)[(cells)[0]], (map)[(cells)[1]], (map)[(cells)[2]], (map)[(cells)[3]]})
#if defined(__SSE2__)
#include <emmintrin.h>
#define times(value, factor) ((ints)_mm_madd_epi16((__m128i)(value), _mm_set1_epi32(factor)))
#else
#define times(value, factor) (((value) & 0x7FFF) * (ints)(factor))
#endif
#include "loops.h"
