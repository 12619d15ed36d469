#include "CYardstick.h"

#include <math.h>

enum { TABLE_SIZE = 65536 };

static const float TURN = 6.28318530717958647692f;
static float sines[TABLE_SIZE];

void yardstick_prepare(void) {
    for (int index = 0; index < TABLE_SIZE; index++) {
        sines[index] = (float)sin(6.28318530717958647692 * index / TABLE_SIZE);
    }
}

static inline int table_index(float angle) {
    return (int)(angle * (TABLE_SIZE / TURN)) & (TABLE_SIZE - 1);
}

static inline float sine(int index) { return sines[index]; }

static inline float cosine(int index) {
    return sines[(index + TABLE_SIZE / 4) & (TABLE_SIZE - 1)];
}

static inline float shifted(float value, float size) {
    if (value < 0) { value += size; }
    if (value >= size) { value -= size; }
    return value;
}

static inline float sensed(
    const yardstick_settings *settings, const float *trail, const yardstick_agent *agent, float angle
) {
    int index = table_index(angle);
    float distance = settings->sensor_distance;
    float x = shifted(agent->x + cosine(index) * distance, (float)settings->width);
    float y = shifted(agent->y + sine(index) * distance, (float)settings->height);
    return trail[(int)y * settings->width + (int)x];
}

void yardstick_move(
    const yardstick_settings *settings,
    const float *trail,
    yardstick_agent *agents,
    size_t count,
    uint64_t seed
) {
    yardstick_settings here = *settings;
    uint64_t state = seed * 0x9E3779B97F4A7C15u | 1;
    for (size_t index = 0; index < count; index++) {
        yardstick_agent *agent = &agents[index];
        float middle = sensed(&here, trail, agent, agent->angle);
        float left = sensed(&here, trail, agent, agent->angle - here.sensor_angle);
        float right = sensed(&here, trail, agent, agent->angle + here.sensor_angle);
        float turn = 0;
        if (middle > left && middle > right) {
            turn = 0;
        } else if (middle < left && middle < right) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            turn = state >> 63 ? here.turn_angle : -here.turn_angle;
        } else if (left < right) {
            turn = here.turn_angle;
        } else if (right < left) {
            turn = -here.turn_angle;
        }
        float angle = shifted(agent->angle + turn, TURN);
        int entry = table_index(angle);
        agent->x = shifted(agent->x + cosine(entry) * here.step_distance, (float)here.width);
        agent->y = shifted(agent->y + sine(entry) * here.step_distance, (float)here.height);
        agent->angle = angle;
    }
}

static void blur_rows(const float *source, int width, int height, float *target) {
    const float weight = 1.0f / 3;
    for (int y = 0; y < height; y++) {
        const float *row = source + (size_t)y * width;
        float *out = target + (size_t)y * width;
        for (int x = 0; x < width; x++) {
            float left = row[x > 0 ? x - 1 : width - 1];
            float right = row[x + 1 < width ? x + 1 : 0];
            out[x] = (left + row[x] + right) * weight;
        }
    }
}

static void blur_columns(const float *source, int width, int height, float scale, float *target) {
    const float weight = 1.0f / 3 * scale;
    for (int x = 0; x < width; x++) {
        for (int y = 0; y < height; y++) {
            float above = source[(size_t)(y > 0 ? y - 1 : height - 1) * width + x];
            float below = source[(size_t)(y + 1 < height ? y + 1 : 0) * width + x];
            target[(size_t)y * width + x] = (above + source[(size_t)y * width + x] + below) * weight;
        }
    }
}

void yardstick_spread(
    const yardstick_settings *settings,
    const yardstick_agent *agents,
    size_t count,
    float *trail,
    float *scratch
) {
    for (size_t index = 0; index < count; index++) {
        trail[(int)agents[index].y * settings->width + (int)agents[index].x] += settings->deposit;
    }
    for (int pass = 0; pass < 2; pass++) {
        float scale = pass == 1 ? 1 - settings->decay_factor : 1;
        blur_rows(trail, settings->width, settings->height, scratch);
        blur_columns(scratch, settings->width, settings->height, scale, trail);
    }
}
