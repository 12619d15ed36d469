// The well-known way to step a slime mould on a CPU, written plainly: what ours is compared with.

#ifndef FOXFIRE_CYARDSTICK_H
#define FOXFIRE_CYARDSTICK_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    float x;
    float y;
    float angle;
    int32_t species;
} yardstick_agent;

typedef struct {
    int32_t width;
    int32_t height;
    /// In radians and cells.
    float sensor_angle;
    float sensor_distance;
    float turn_angle;
    float step_distance;
    float deposit;
    float decay_factor;
} yardstick_settings;

/// Fills the table of sines; once, before anything else.
void yardstick_prepare(void);

/// Moves `count` agents: three nearest-cell reads, a turn, a step.
void yardstick_move(
    const yardstick_settings *settings,
    const float *trail,
    yardstick_agent *agents,
    size_t count,
    uint64_t seed
);

/// Adds the agents' deposits one after another, then spreads the trail by two passes of a box blur of
/// radius 1, rows and then columns; the second lets it decay.
void yardstick_spread(
    const yardstick_settings *settings,
    const yardstick_agent *agents,
    size_t count,
    float *trail,
    float *scratch
);

#endif
