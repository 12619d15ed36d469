// The inner loops of the simulation in several vector widths, all of which give the same bits.

#ifndef FOXFIRE_CKERNELS_H
#define FOXFIRE_CKERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many lanes the loops work in.
typedef enum {
    /// Four lanes: what every machine has.
    FOXFIRE_WIDTH_BASELINE = 0,
    /// Eight lanes.
    FOXFIRE_WIDTH_AVX2 = 1,
    /// Sixteen lanes.
    FOXFIRE_WIDTH_AVX512 = 2,
} foxfire_width;

/// The widest one that this machine has.
foxfire_width foxfire_widest(void);

/// One array for each property of the agents.
typedef struct {
    float *x;
    float *y;
    /// The heading as a unit vector, so that turning needs no trigonometry.
    float *heading_x;
    float *heading_y;
    /// Who an agent is, whatever its place in the arrays: the key of its random numbers.
    uint32_t *identity;
} foxfire_agents;

/// How many entries a response has: trails are told apart in so many steps.
enum { FOXFIRE_RESPONSE_COUNT = 4096 };

/// How many floats an entry has: the six numbers of `foxfire_step` of the same names, from `ahead` to
/// `speed` in their order, and two that are not used.
enum { FOXFIRE_RESPONSE_ROW = 8 };

/// What agents do on each strength of trail.
typedef struct {
    /// `FOXFIRE_RESPONSE_COUNT` entries of `FOXFIRE_RESPONSE_ROW` floats; a multiple of 32 bytes.
    const float *rows;
    /// Steps of the response for one unit of trail.
    float steps_per_trail;
    /// The start of the padded map that the strength is read from.
    const float *trail;
} foxfire_response;

/// A step's map and numbers.
typedef struct {
    /// The start of the padded map that sensors read, its margins filled.
    const float *sensed;
    /// Floats from one row of it to the next, below 32768.
    int32_t stride;
    /// The margin's width in cells, even.
    int32_t reach;
    int32_t width;
    int32_t height;
    /// Whether edges reflect; else they meet.
    bool has_walls;
    /// How far ahead the middle sensor is, in cells.
    float ahead;
    /// The same for a side sensor, along and across the heading.
    float side_ahead;
    float side_across;
    /// The turn towards a side.
    float turn_cosine;
    float turn_sine;
    /// Cells that an agent moves.
    float speed;
    /// Tangent of half the largest random turn.
    float chaos;
    /// Twice the trail that agents like best.
    float crowd_turn;
    /// Names the step in the agents' random numbers.
    uint32_t key;
    /// If it is not null, it stands in the place of the six numbers of the same names.
    const foxfire_response *response;
} foxfire_step;

/// Works on agents `first` … `last` − 1: sense, turn, move; counts each in the cell it moves to.
///
/// Every operation is a plain IEEE one in a fixed order, without fused multiply-add.
void foxfire_move(
    foxfire_width width,
    const foxfire_step *step,
    const foxfire_agents *agents,
    size_t first,
    size_t last,
    uint32_t *counts
);

/// Writes the weighted sum of `count` maps, 1 to 4, of `length` cells: the first term, then the others
/// added one after another.
void foxfire_mix(
    foxfire_width width,
    const float *const *maps,
    const float *weights,
    size_t count,
    size_t length,
    float *target
);

/// Writes target = trail + deposit × count, of `length` cells.
void foxfire_add_deposits(
    foxfire_width width,
    const float *trail,
    const uint32_t *counts,
    size_t length,
    float deposit,
    float *target
);

/// Writes the weighted sum of a row and pairs of rows at equal distances from it.
///
/// `weights` holds the centre's weight, then that of each of the `pairs` pairs; `before` and `after`
/// are rows of `length` cells. Pairs are added one after another, the nearest first.
void foxfire_blur(
    foxfire_width width,
    const float *centre,
    const float *const *before,
    const float *const *after,
    const float *weights,
    size_t pairs,
    size_t length,
    float *target
);

#endif
