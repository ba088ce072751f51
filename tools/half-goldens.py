"""Prints the figures that Tests/RuntimeTests/Half expects, from NumPy's float16.

    pip install numpy
    python3 tools/half-goldens.py

The network is that of HalfPrecisionTests.swift: conv1, norm, relu, conv2, add, conv3. Sums inside a convolution and the
statistics are taken in double precision and rounded once, which single precision only misses where it lies within its
own rounding of the middle between two halves. No number here does.
"""
import numpy as np

WIDTH, HEIGHT, CHANNELS = 6, 5, 4


def half(x):
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(x, np.float32).astype(np.float16).astype(np.float64)


def weights(shape, seed, divisor=10):
    count = int(np.prod(shape))
    numbers = [((i * 7 + seed) % 17 - 8) / divisor for i in range(count)]
    return half(np.array(numbers).reshape(shape))


def convolve(x, weight, bias):
    margin = weight.shape[2] // 2
    padded = np.pad(x, ((0, 0), (margin, margin), (margin, margin)), mode="reflect")
    result = np.zeros((weight.shape[0], HEIGHT, WIDTH))
    for y in range(weight.shape[2]):
        for z in range(weight.shape[3]):
            result += np.einsum("oc,chw->ohw", weight[:, :, y, z], padded[:, y:y + HEIGHT, z:z + WIDTH])
    return result + bias[:, None, None]


def half_statistics(x):
    """Row sums in single precision, rounded; then added up in half precision. Returns how many channels overflow."""
    sums, squares = [], []
    for channel in x.astype(np.float32):
        total = square = np.float16(0)
        with np.errstate(over="ignore", invalid="ignore"):
            for row in channel:
                row_sum = row_square = np.float32(0)
                for number in row:
                    row_sum, row_square = row_sum + number, row_square + number * number
                total, square = total + np.float16(row_sum), square + np.float16(row_square)
        sums.append(total)
        squares.append(square)
    return np.isinf(sums).sum(), np.isinf(squares).sum()


def run(scale):
    picture = np.array([(i * 37 + 11) % 256 for i in range(WIDTH * HEIGHT * 3)], float)
    x = half(picture.reshape(HEIGHT, WIDTH, 3).transpose(2, 0, 1) * scale)
    raw = convolve(x, weights((CHANNELS, 3, 3, 3), 3), weights((CHANNELS,), 1))
    first = half(raw)
    overflow = int(np.isinf(first).sum())
    if overflow:
        return None, overflow, None
    mean, variance = first.mean((1, 2)), first.var((1, 2))
    normed = (first - mean[:, None, None]) / np.sqrt(variance + 1e-5)[:, None, None]
    gamma, beta = weights((CHANNELS,), 11), weights((CHANNELS,), 6)
    relu = np.maximum(half(normed * gamma[:, None, None] + beta[:, None, None]), 0)
    second = half(convolve(relu, weights((CHANNELS, CHANNELS, 3, 3), 5), weights((CHANNELS,), 2)))
    total = half(second + relu)
    output = half(convolve(total, weights((3, CHANNELS, 1, 1), 9), weights((3,), 4)))
    return output, overflow, half_statistics(first)


output, _, statistics = run(1)
print("output, [3][height][width]:")
print(", ".join(repr(float(x)) for x in output.ravel()))
print("results of conv1.weight that overflow where the picture is scaled by 150:", run(150)[1])
print("channels whose (sum, sum of squares) overflow in half precision:", tuple(int(x) for x in statistics))
