// The loops for LANES lanes; included once for each width, with NAME(x) and gather() defined.
//
// Plain IEEE operations in a fixed order: no fused multiply-add, no approximate reciprocals.

#include <string.h>

#include "widths.h"

#pragma STDC FP_CONTRACT OFF

typedef float floats __attribute__((ext_vector_type(LANES)));
typedef int32_t ints __attribute__((ext_vector_type(LANES)));
typedef uint32_t words __attribute__((ext_vector_type(LANES)));

#define INLINE static inline __attribute__((always_inline))

// 1.5 × 2^23: a float of this size has whole numbers only, so adding it rounds to the nearest one and
// leaves it in the low bits, also for numbers below 0.
#define MAGIC 12582912.0f
#define MAGIC_BITS 0x4B400000u

INLINE floats load(const float *place) {
    floats lanes;
    memcpy(&lanes, place, sizeof lanes);
    return lanes;
}

INLINE void store(floats lanes, float *place) { memcpy(place, &lanes, sizeof lanes); }

INLINE words bits(floats value) { return (words)value; }

// Lane by lane: one where the condition's lane is −1, other where it is 0.
INLINE floats chosen(ints condition, floats one, floats other) {
    return (floats)(((words)condition & bits(one)) | (~(words)condition & bits(other)));
}

// The whole number in the low bits of a float that the magic number was added to.
INLINE ints whole(floats biased) { return (ints)(bits(biased) & 0x7FFF); }

// Cells of a map with rows `stride` apart, each plus the bits of the magic number.
INLINE ints biased_cells(floats x, floats y, float bias, int32_t stride) {
    return times((ints)bits(y + bias), stride) + (ints)bits(x + bias);
}

// Where the cells of `biased_cells` begin, when cell 0 is here.
INLINE const float *biased(const float *map) {
    return (const float *)((uintptr_t)map - sizeof(float) * (uintptr_t)MAGIC_BITS);
}

INLINE floats sensed(const foxfire_step *step, float bias, floats x, floats y) {
    floats trail = gather(biased(step->sensed), biased_cells(x, y, bias, step->stride));
    floats crowded = step->crowd_turn - trail;
    return chosen(crowded < trail, crowded, trail);
}

// Reads an entry for each lane and turns rows into columns: whole rows are read, since that many
// gathers would take several times as long. Rows become columns by repeated perfect shuffles (Harold
// Stone, "Parallel processing with the perfect shuffle", 1971).
INLINE void look_up(const float *rows, ints entry, floats *columns) {
    int32_t places[LANES];
    memcpy(places, &entry, sizeof places);
#if LANES == 4
    // Two squares of 4 x 4.
    for (int half = 0; half < 2; half++) {
        floats row[4], next[4];
        for (int lane = 0; lane < 4; lane++) {
            row[lane] = load(rows + 8 * places[lane] + 4 * half);
        }
        for (int stage = 0; stage < 2; stage++) {
            for (int pair = 0; pair < 2; pair++) {
                next[2 * pair] = __builtin_shufflevector(row[pair], row[pair + 2], 0, 4, 1, 5);
                next[2 * pair + 1] = __builtin_shufflevector(row[pair], row[pair + 2], 2, 6, 3, 7);
            }
            memcpy(row, next, sizeof row);
        }
        memcpy(columns + 4 * half, row, sizeof row);
    }
#else
    floats row[8], next[8];
    for (int lane = 0; lane < 8; lane++) {
        float numbers[LANES];
        memcpy(numbers, rows + 8 * places[lane], 32);
#if LANES == 16
        // A second square of 8 x 8 in the upper lanes.
        memcpy(numbers + 8, rows + 8 * places[lane + 8], 32);
#endif
        row[lane] = load(numbers);
    }
    for (int stage = 0; stage < 3; stage++) {
        for (int pair = 0; pair < 4; pair++) {
            floats one = row[pair], other = row[pair + 4];
#if LANES == 16
            next[2 * pair] = __builtin_shufflevector(
                one, other, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27
            );
            next[2 * pair + 1] = __builtin_shufflevector(
                one, other, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31
            );
#else
            next[2 * pair] = __builtin_shufflevector(one, other, 0, 8, 1, 9, 2, 10, 3, 11);
            next[2 * pair + 1] = __builtin_shufflevector(one, other, 4, 12, 5, 13, 6, 14, 7, 15);
#endif
        }
        memcpy(row, next, sizeof row);
    }
    memcpy(columns, row, sizeof row);
#endif
}

// Brings a coordinate that is at most one map away back to −0.5 ..< size − 0.5.
INLINE floats wrapped(floats value, float size, float end) {
    floats none = 0, whole_map = size;
    floats above = value + chosen(value < -0.5f, whole_map, none);
    // Last, because the addition may have been rounded up to the end.
    return above - chosen(above >= end, whole_map, none);
}

// Brings a coordinate that is at most one map away back by reflection, with its part of the heading.
INLINE floats reflected(floats value, float size, float end, float below_end, floats *heading) {
    ints low = value < -0.5f, high = value >= end;
    value = chosen(low, -1.0f - value, value);
    value = chosen(high, (2.0f * size - 1.0f) - value, value);
    *heading = chosen(low | high, -*heading, *heading);
    // Reflection may be rounded up to the end.
    floats last = below_end;
    return chosen(value >= end, last, value);
}

// Works on a lane each of LANES agents and returns the biased cells they are in afterwards. Whether there is
// a response and walls is known where this is inlined.
INLINE ints move_group(
    const foxfire_step *step,
    const foxfire_agents *agents,
    size_t index,
    bool has_response,
    bool has_walls
) {
    floats x = load(agents->x + index), y = load(agents->y + index);
    floats heading_x = load(agents->heading_x + index);
    floats heading_y = load(agents->heading_y + index);
    words identity;
    memcpy(&identity, agents->identity + index, sizeof identity);
    float bias = MAGIC + (float)step->reach;

    floats ahead = step->ahead, side_ahead = step->side_ahead, side_across = step->side_across;
    floats turn_cosine = step->turn_cosine, turn_sine = step->turn_sine, speed = step->speed;
    if (has_response) {
        const foxfire_response *response = step->response;
        floats strength = gather(biased(response->trail), biased_cells(x, y, bias, step->stride));
        floats place = strength * response->steps_per_trail;
        floats last = FOXFIRE_RESPONSE_COUNT - 1;
        // A mixture with a trail that is fled may be negative: the weakest.
        floats none = 0;
        place = chosen(place > 0, place, none);
        ints entry = whole(chosen(place < last, place, last) + MAGIC);
        floats numbers[FOXFIRE_RESPONSE_ROW];
        look_up(response->rows, entry, numbers);
        ahead = numbers[0];
        side_ahead = numbers[1];
        side_across = numbers[2];
        turn_cosine = numbers[3];
        turn_sine = numbers[4];
        speed = numbers[5];
    }

    floats along_x = heading_x * side_ahead, along_y = heading_y * side_ahead;
    floats across_x = heading_x * side_across, across_y = heading_y * side_across;
    floats middle = sensed(step, bias, x + heading_x * ahead, y + heading_y * ahead);
    floats plus = sensed(step, bias, x + (along_x - across_y), y + (along_y + across_x));
    floats minus = sensed(step, bias, x + (along_x + across_y), y + (along_y - across_x));

    // From identity and step, which are both random bits already, so that one multiplication is
    // enough to mix them; its constant is of Chris Wellons' search for low bias ("hash-prospector").
    words random = identity ^ step->key;
    random = (random ^ random >> 16) * 0x7FEB352Du;
    random ^= random >> 15;

    floats zero = 0, one = 1;
    ints is_least = (middle < plus) & (middle < minus), is_most = (middle > plus) & (middle > minus);
    floats any_side = (floats)(bits(turn_sine) ^ (random & 0x80000000u));
    floats sine = chosen(plus > minus, turn_sine, -turn_sine);
    sine = chosen(is_least, any_side, sine);
    ints turns = (is_least | (plus != minus)) & ~is_most;
    sine = chosen(turns, sine, zero);
    floats cosine = chosen(turns, turn_cosine, one);
    floats turned_x = heading_x * cosine - heading_y * sine;
    floats turned_y = heading_x * sine + heading_y * cosine;
    if (step->chaos > 0) {
        // 23 random bits as a number in −1 ..< 1; the turn by its half angle's tangent.
        floats unit = (floats)((random & 0x007FFFFFu) | 0x3F800000u) - 1.5f;
        floats tangent = (unit + unit) * step->chaos;
        floats square = tangent * tangent;
        floats scale = 1.0f / (1.0f + square);
        floats chaos_cosine = (1.0f - square) * scale;
        floats chaos_sine = (tangent + tangent) * scale;
        floats chaotic_x = turned_x * chaos_cosine - turned_y * chaos_sine;
        turned_y = turned_x * chaos_sine + turned_y * chaos_cosine;
        turned_x = chaotic_x;
    }
    // One step of Newton's method keeps the length at 1 against rounding.
    floats correction = 1.5f - 0.5f * (turned_x * turned_x + turned_y * turned_y);
    turned_x *= correction;
    turned_y *= correction;

    float size_x = (float)step->width, size_y = (float)step->height;
    float end_x = size_x - 0.5f, end_y = size_y - 0.5f;
    x = x + turned_x * speed;
    y = y + turned_y * speed;
    if (has_walls) {
        x = reflected(x, size_x, end_x, __builtin_nextafterf(end_x, 0), &turned_x);
        y = reflected(y, size_y, end_y, __builtin_nextafterf(end_y, 0), &turned_y);
    } else {
        x = wrapped(x, size_x, end_x);
        y = wrapped(y, size_y, end_y);
    }
    store(x, agents->x + index);
    store(y, agents->y + index);
    store(turned_x, agents->heading_x + index);
    store(turned_y, agents->heading_y + index);
    return biased_cells(x, y, MAGIC, step->width);
}

// The last agents of a range, fewer than LANES: the same work on a copy with idle lanes.
INLINE void move_rest(
    const foxfire_step *step,
    const foxfire_agents *agents,
    size_t index,
    size_t count,
    uint32_t *counts,
    bool has_response,
    bool has_walls
) {
    float values[4][LANES] = {0};
    uint32_t identity[LANES] = {0};
    foxfire_agents copy = {values[0], values[1], values[2], values[3], identity};
    size_t bytes = count * sizeof(float);
    memcpy(copy.x, agents->x + index, bytes);
    memcpy(copy.y, agents->y + index, bytes);
    memcpy(copy.heading_x, agents->heading_x + index, bytes);
    memcpy(copy.heading_y, agents->heading_y + index, bytes);
    memcpy(copy.identity, agents->identity + index, bytes);
    ints cells = move_group(step, &copy, 0, has_response, has_walls);
    uint32_t *biased_counts = (uint32_t *)biased((const float *)counts);
    for (size_t lane = 0; lane < count; lane++) { biased_counts[cells[lane]] += 1; }
    memcpy(agents->x + index, copy.x, bytes);
    memcpy(agents->y + index, copy.y, bytes);
    memcpy(agents->heading_x + index, copy.heading_x, bytes);
    memcpy(agents->heading_y + index, copy.heading_y, bytes);
}

INLINE void move_all(
    const foxfire_step *step,
    const foxfire_agents *agents,
    size_t first,
    size_t last,
    uint32_t *counts,
    bool has_response,
    bool has_walls
) {
    size_t index = first;
    uint32_t *biased_counts = (uint32_t *)biased((const float *)counts);
    for (; index + LANES <= last; index += LANES) {
        ints cells = move_group(step, agents, index, has_response, has_walls);
        // Two at a time, because taking a number out of a vector costs more than cutting it in two.
        uint64_t pairs[LANES / 2];
        memcpy(pairs, &cells, sizeof pairs);
        for (size_t pair = 0; pair < LANES / 2; pair++) {
            biased_counts[(uint32_t)pairs[pair]] += 1;
            biased_counts[pairs[pair] >> 32] += 1;
        }
    }
    if (index < last) {
        move_rest(step, agents, index, last - index, counts, has_response, has_walls);
    }
}

void NAME(foxfire_move)(
    const foxfire_step *step,
    const foxfire_agents *agents,
    size_t first,
    size_t last,
    uint32_t *counts
) {
    // Copies, so that the loop knows that nothing it writes changes them.
    foxfire_step here = *step;
    foxfire_agents arrays = *agents;
    if (here.response != NULL) {
        if (here.has_walls) {
            move_all(&here, &arrays, first, last, counts, true, true);
        } else {
            move_all(&here, &arrays, first, last, counts, true, false);
        }
    } else if (here.has_walls) {
        move_all(&here, &arrays, first, last, counts, false, true);
    } else {
        move_all(&here, &arrays, first, last, counts, false, false);
    }
}

void NAME(foxfire_mix)(
    const float *const *maps,
    const float *weights,
    size_t count,
    size_t length,
    float *restrict target
) {
    size_t cell = 0;
    for (; cell + LANES <= length; cell += LANES) {
        floats sum = weights[0] * load(maps[0] + cell);
        for (size_t map = 1; map < count; map++) { sum += weights[map] * load(maps[map] + cell); }
        store(sum, target + cell);
    }
    for (; cell < length; cell++) {
        float sum = weights[0] * maps[0][cell];
        for (size_t map = 1; map < count; map++) { sum += weights[map] * maps[map][cell]; }
        target[cell] = sum;
    }
}

void NAME(foxfire_add_deposits)(
    const float *trail,
    const uint32_t *counts,
    size_t length,
    float deposit,
    float *restrict target
) {
    size_t cell = 0;
    for (; cell + LANES <= length; cell += LANES) {
        ints number;
        memcpy(&number, counts + cell, sizeof number);
        floats left = deposit * __builtin_convertvector(number, floats);
        store(load(trail + cell) + left, target + cell);
    }
    for (; cell < length; cell++) {
        target[cell] = trail[cell] + deposit * (float)(int32_t)counts[cell];
    }
}

void NAME(foxfire_blur)(
    const float *centre,
    const float *const *before,
    const float *const *after,
    const float *weights,
    size_t pairs,
    size_t length,
    float *restrict target
) {
    size_t cell = 0;
    for (; cell + LANES <= length; cell += LANES) {
        floats sum = weights[0] * load(centre + cell);
        for (size_t pair = 0; pair < pairs; pair++) {
            sum += weights[pair + 1] * (load(before[pair] + cell) + load(after[pair] + cell));
        }
        store(sum, target + cell);
    }
    for (; cell < length; cell++) {
        float sum = weights[0] * centre[cell];
        for (size_t pair = 0; pair < pairs; pair++) {
            sum += weights[pair + 1] * (before[pair][cell] + after[pair][cell]);
        }
        target[cell] = sum;
    }
}
