"""Decodes the coded payloads of a .stylemodel, from Schemas/stylemodel-format.md alone.

Part of read_stylemodel.py: plain loops over whole numbers, sharing no code with the decoder in C.
"""

import struct

import numpy as np

NEXT_STATE = ((0, 2), (5, 7), (1, 3), (6, 4), (2, 0), (4, 6), (3, 1), (7, 5))
FRACTIONS = (0x000000, 0x0B95C2, 0x1837F0, 0x25FED7, 0x3504F3, 0x45672A, 0x5744FD, 0x6AC0C7)


class BadFile(Exception):
    """What is wrong with a file."""


def require(condition, problem):
    if not condition:
        raise BadFile(problem)


class Model:
    """How likely symbols are in one class."""

    def __init__(self, index):
        octave = index // 3
        mean = (256, 323, 406)[index % 3] << octave
        self.shift = max(0, octave - 6)
        ratio = (mean << 16) // (mean + (1 << (13 + self.shift)))
        weight = 65536 - ratio
        self.counts = []
        for _ in range(16):
            self.counts.append(2 + weight // 128)
            weight = weight * ratio >> 16
        self.period = 8
        self.refresh()

    def refresh(self):
        total = sum(self.counts)
        frequencies = [1 + count * (32768 - 16) // total for count in self.counts]
        frequencies[self.counts.index(max(self.counts))] += 32768 - sum(frequencies)
        self.symbols = []
        for symbol, frequency in enumerate(frequencies):
            self.symbols += [symbol] * frequency
        self.frequencies = frequencies
        self.starts = [sum(frequencies[:symbol]) for symbol in range(16)]
        self.remaining = self.period
        if self.period < 1024:
            self.period += self.period // 2
        if total > 1 << 24:
            self.counts = [count - count // 2 for count in self.counts]


class Stream:
    """Symbols from the front, bits from the back."""

    def __init__(self, data):
        require(len(data) >= 8, "is coded in too short a stream")
        self.data = data
        self.states = list(struct.unpack_from("<2I", data))
        require(min(self.states) >= 1 << 16, "begins in a state that cannot be")
        self.front, self.back = 8, len(data)
        self.window = self.held = 0

    def bits(self, count):
        while self.held < count:
            self.back -= 1
            require(self.back >= self.front, "runs out of bits")
            self.window |= self.data[self.back] << self.held
            self.held += 8
        value = self.window & ((1 << count) - 1)
        self.window >>= count
        self.held -= count
        return value

    def magnitude(self, turn, model):
        state = self.states[turn]
        place = state & 32767
        high = symbol = model.symbols[place]
        state = model.frequencies[symbol] * (state >> 15) + place - model.starts[symbol]
        if state < 65536:
            require(self.back - self.front >= 2, "runs out of symbols")
            state = state << 16 | self.data[self.front] | self.data[self.front + 1] << 8
            self.front += 2
        self.states[turn] = state
        model.counts[symbol] += 32
        model.remaining -= 1
        if model.remaining == 0:
            model.refresh()
        if symbol == 15:
            zeros = 0
            while not self.bits(1):
                zeros += 1
                require(zeros < 16, "has a number beyond its bounds")
            high = 15 + (1 << zeros) + self.bits(zeros) - 1
        return high << model.shift | (self.bits(model.shift) if model.shift else 0)

    def numbers_about_common(self, rows, bits, least, greatest):
        common = self.bits(bits) + least
        model = Model(self.bits(6))
        numbers = []
        for row in range(rows):
            difference = self.magnitude(row % 2, model)
            if difference and self.bits(1):
                difference = -difference
            numbers.append(common + difference)
            require(least <= numbers[-1] <= greatest, "has a number beyond its bounds")
        return numbers

    def finish(self):
        require(self.front == self.back and self.window == 0, "does not end with its last number")
        require(self.states == [1 << 16] * 2, "ends in another state than it should")


def integers(stream, rows, columns, is_signed, is_dependent, greatest):
    """The integers, [column][row]."""
    classes = stream.numbers_about_common(rows, 6, 0, 63)
    models = {index: (Model(index), Model(index)) for index in set(classes)}
    by_row = [models[index] for index in classes]
    result = []
    turn = 0
    for _ in range(columns):
        state = 0
        for row in range(rows):
            is_odd = state & 1
            number = stream.magnitude(turn, by_row[row][is_odd])
            turn ^= 1
            if is_dependent:
                state = NEXT_STATE[state][number & 1]
                number = 2 * number - (is_odd if number else 0)
            require(number <= greatest, "has a number beyond its bounds")
            if number and is_signed and stream.bits(1):
                number = -number
            result.append(number)
    stream.finish()
    return result


def uncoded(tensor, stored):
    """The payload as it would be if it were stored raw."""
    require(tensor.WhichOneof("encoding") == "affine" and stored, f"{tensor.name}: is coded, but no integers")
    affine, shape = tensor.affine, tuple(tensor.shape)
    axis = affine.axis if affine.HasField("axis") else None
    rows = shape[axis] if axis is not None else 1
    count = int(np.prod(shape, dtype=object))
    flags, end = stored[0], 1
    require(flags < 4, f"{tensor.name}: is coded in a way that is not known")
    scales = b""
    if not flags & 1:
        scales, end = stored[end : end + 4 * rows], end + 4 * rows
    offsets = b""
    if affine.has_offsets:
        offsets, end = stored[end : end + 4 * rows], end + 4 * rows
    stream = Stream(stored[end:])
    if flags & 1:
        exponents = stream.numbers_about_common(rows, 11, -1008, 1023)
        words = [((e >> 3) + 127) << 23 | FRACTIONS[e & 7] for e in exponents]
        scales = np.array(words, "<u4").tobytes()
    numbers = integers(stream, rows, count // rows if rows else 0, affine.is_signed, bool(flags & 2), 32767)
    numbers = np.array(numbers, np.int64)
    limit = 1 << (affine.bits - 1 if affine.is_signed else affine.bits)
    require(np.all((numbers < limit) & (numbers >= (-limit if affine.is_signed else 0))),
            f"{tensor.name}: has numbers that do not fit")
    if axis is not None and count:
        others = shape[:axis] + shape[axis + 1 :]
        numbers = np.moveaxis(numbers.reshape(others + (rows,)), -1, axis)
    bits = (numbers.reshape(-1, 1) >> np.arange(affine.bits)) & 1
    packed = np.packbits(bits.astype(np.uint8).reshape(-1), bitorder="little")
    return scales + offsets + packed.tobytes()
