#include "CSoundModel.h"

// Eight numbers at a time. Unaligned, because Swift's arrays promise no more than the element's alignment.
typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));

static void densities(
    const speechly_sound_shape *shape, const float *squares, const float *values, const float *constants,
    const float *frame, float *density) {
    for (size_t first = 0; first < shape->gaussians; first += 8) {
        lanes sum = *(const lanes *)(constants + first);
        for (size_t index = 0; index < shape->width; index++) {
            const float value = frame[index];
            const size_t place = index * shape->gaussians + first;
            sum += (*(const lanes *)(squares + place) * value + *(const lanes *)(values + place)) * value;
        }
        *(lanes *)(density + first) = sum;
    }
}

static void keep(const speechly_sound_shape *shape, const float *density, uint8_t *best, float *fits) {
    const size_t top = shape->top;
    size_t kept = 0;
    for (size_t index = 0; index < shape->gaussians; index++) {
        const float value = density[index];
        if (kept == top && value <= fits[top - 1]) continue;
        size_t place = kept < top ? kept : top - 1;
        for (; place > 0 && fits[place - 1] < value; place--) {
            fits[place] = fits[place - 1];
            best[place] = best[place - 1];
        }
        fits[place] = value;
        best[place] = (uint8_t)index;
        if (kept < top) kept++;
    }
}

void speechly_sound_best(
    const speechly_sound_shape *shape, const float *squares, const float *values, const float *constants,
    const float *features, uint8_t *best, float *fits) {
    float density[256];
    if (shape->gaussians > 256 || shape->gaussians % 8 != 0) return;
    const size_t codebook = shape->width * shape->gaussians;
    for (size_t frame = 0; frame < shape->frames; frame++) {
        for (size_t block = 0; block < shape->phones * shape->streams; block++) {
            const size_t stream = block % shape->streams;
            densities(
                shape, squares + block * codebook, values + block * codebook, constants + block * shape->gaussians,
                features + (stream * shape->frames + frame) * shape->width, density);
            const size_t target = (frame * shape->phones * shape->streams + block) * shape->top;
            keep(shape, density, best + target, fits + target);
        }
    }
}
