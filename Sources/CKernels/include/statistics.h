// Mean and variance of the channels of a picture, in double precision.
#ifndef CKERNELS_STATISTICS_H
#define CKERNELS_STATISTICS_H

#include <stddef.h>

#include "instructions.h"

/// The sums of one channel over some pixels, taken relative to one of its own values, so that a mean far larger
/// than the deviation costs no digits and a constant channel has a variance of exactly zero.
typedef struct {
  double shift;    // a value of the channel
  double sum;      // of x - shift
  double squares;  // of (x - shift)²
} ck_moments;

/// The mean of some pixels and the sum of the squared distances from it.
typedef struct {
  double mean, distances;
} ck_spread;

/// Starts the sums of `channels` channels with the values of `pixel` as their shifts.
void ck_start_moments(const float *pixel, size_t channels, ck_moments *moments);

/// Adds `pixels` pixels that lie `pixel_stride` floats apart.
void ck_add_moments(
    ck_instructions instructions, const float *input, size_t pixels, size_t pixel_stride, size_t channels,
    ck_moments *moments);

/// Turns the sums over `pixels` pixels into mean and spread, channel by channel.
void ck_finish_moments(const ck_moments *moments, size_t pixels, size_t channels, ck_spread *spread);

/// Merges the spread of `added_pixels` pixels into that of `pixels` others (Chan, Golub, LeVeque 1979).
void ck_merge_spread(
    ck_spread *spread, size_t pixels, const ck_spread *added, size_t added_pixels, size_t channels);

#endif
