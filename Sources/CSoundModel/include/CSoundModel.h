#ifndef SPEECHLY_CSOUNDMODEL_H
#define SPEECHLY_CSOUNDMODEL_H

#include <stddef.h>
#include <stdint.h>

/// The shape of an acoustic model and of the sound it is to score.
typedef struct {
    size_t frames;
    /// Codebooks of Gaussians: one for each phone.
    size_t phones;
    size_t streams;
    /// Coefficients of a frame in a stream.
    size_t width;
    /// Gaussians of a phone in a stream; a multiple of 8, at most 256.
    size_t gaussians;
    /// How many of them are kept.
    size_t top;
} speechly_sound_shape;

/// Finds, for every frame, phone and stream, the Gaussians that fit best.
///
/// In C because it is the one loop that takes time, and must not take a hundred times as much in a debug build.
///
/// @param squares, values  what the square and the value of a coefficient are multiplied with:
///     `[phone][stream][coefficient][gaussian]`.
/// @param constants  `[phone][stream][gaussian]`.
/// @param features  `[stream][frame][coefficient]`.
/// @param best  receives numbers of Gaussians, the best first: `[frame][phone][stream][top]`.
/// @param fits  receives the logarithms of their densities, in the same order.
/// The caller owns all memory; nothing is kept.
void speechly_sound_best(
    const speechly_sound_shape *shape, const float *squares, const float *values, const float *constants,
    const float *features, uint8_t *best, float *fits);

#endif
