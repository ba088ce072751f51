"""Runs a PyMIL program, as coremltools reads it from a Core ML package, with numpy: plain, slow, and independent of the
Swift code. Only what style networks need; sums of norms in float64, everything else in float32."""

import numpy as np

F = np.float32


def value(variable):
    """What a constant holds, decoded if it is compressed."""
    if variable.val is not None:
        return variable.val
    return variable.op.materialized_val_inference()


def same_padding(size, kernel, stride, lower):
    total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
    small, large = total // 2, total - total // 2
    return (large, small) if lower else (small, large)


def conv(x, weight, bias=None, strides=(1, 1), pad_type="valid", pad=(0, 0, 0, 0), dilations=(1, 1), groups=1):
    outputs, inputs, rows, columns = weight.shape
    reach = [(taps - 1) * step + 1 for taps, step in zip((rows, columns), dilations)]
    if pad_type == "custom":
        edges = [(pad[0], pad[1]), (pad[2], pad[3])]
    elif pad_type == "valid":
        edges = [(0, 0), (0, 0)]
    else:
        edges = [same_padding(n, k, s, pad_type == "same_lower") for n, k, s in zip(x.shape[2:], reach, strides)]
    x = np.pad(x[0], [(0, 0), *edges])
    height, width = [(n - k) // s + 1 for n, k, s in zip(x.shape[1:], reach, strides)]
    result = np.zeros((groups, outputs // groups, height * width), F)
    for row in range(rows):
        for column in range(columns):
            top, left = row * dilations[0], column * dilations[1]
            part = x[:, top : top + (height - 1) * strides[0] + 1 : strides[0],
                     left : left + (width - 1) * strides[1] + 1 : strides[1]]
            taps = weight[:, :, row, column].reshape(groups, outputs // groups, inputs)
            result += taps @ part.reshape(groups, inputs, height * width)
    result = result.reshape(1, outputs, height, width)
    return result if bias is None else result + bias[:, None, None]


def conv_transpose(x, weight, bias=None, strides=(1, 1), pad_type="valid", pad=(0, 0, 0, 0), dilations=(1, 1), groups=1):
    inputs, outputs, rows, columns = weight.shape
    height, width = x.shape[2:]
    extents = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip((height, width), strides, (rows, columns), dilations)]
    result = np.zeros((groups * outputs, *extents), F)
    x = x.reshape(groups, inputs // groups, height * width)
    for row in range(rows):
        for column in range(columns):
            taps = weight[:, :, row, column].reshape(groups, inputs // groups, outputs).transpose(0, 2, 1)
            top, left = row * dilations[0], column * dilations[1]
            result[:, top : top + (height - 1) * strides[0] + 1 : strides[0],
                   left : left + (width - 1) * strides[1] + 1 : strides[1]] += (taps @ x).reshape(-1, height, width)
    if pad_type == "custom":
        result = result[:, pad[0] : extents[0] - pad[1], pad[2] : extents[1] - pad[3]]
    return result[None] if bias is None else result[None] + bias[:, None, None]


def pad(x, pad, mode="constant", constant_val=0.0):
    edges = [(0, 0)] * (x.ndim - len(pad) // 2) + list(zip(pad[::2], pad[1::2]))
    if mode == "constant":
        return np.pad(x, edges, constant_values=constant_val)
    return np.pad(x, edges, mode={"reflect": "reflect", "replicate": "edge"}[mode])


def instance_norm(x, gamma=None, beta=None, epsilon=1e-5):
    wide = x.astype(np.float64)
    mean, variance = wide.mean((2, 3), keepdims=True), wide.var((2, 3), keepdims=True)
    result = (wide - mean) / np.sqrt(variance + epsilon)
    return affine(result, gamma, beta)


def batch_norm(x, mean, variance, gamma=None, beta=None, epsilon=1e-5):
    wide = x.astype(np.float64)
    return affine((wide - mean[:, None, None]) / np.sqrt(variance[:, None, None].astype(np.float64) + epsilon), gamma, beta)


def affine(x, gamma, beta):
    x = x if gamma is None else x * gamma[:, None, None]
    x = x if beta is None else x + beta[:, None, None]
    return x.astype(F)


def upsample_nearest_neighbor(x, scale_factor_height=1, scale_factor_width=1):
    return x.repeat(int(scale_factor_height), 2).repeat(int(scale_factor_width), 3)


def upsample_bilinear(x, scale_factor_height=1, scale_factor_width=1, align_corners=True):
    assert not align_corners
    for axis, factor in ((2, int(scale_factor_height)), (3, int(scale_factor_width))):
        size = x.shape[axis]
        place = np.clip((np.arange(size * factor) + 0.5) / factor - 0.5, 0, size - 1)
        low = np.floor(place).astype(int)
        part = (place - low).astype(F).reshape([-1, 1] if axis == 2 else [-1])
        x = np.take(x, low, axis) * (1 - part) + np.take(x, np.minimum(low + 1, size - 1), axis) * part
    return x


def slice_by_index(x, begin, end, begin_mask, end_mask):
    return x[tuple(
        slice(None if open_begin else first, None if open_end else last)
        for first, last, open_begin, open_end in zip(begin, end, begin_mask, end_mask))]


OPERATIONS = {
    "conv": conv, "conv_transpose": conv_transpose, "pad": pad, "instance_norm": instance_norm,
    "batch_norm": batch_norm, "upsample_nearest_neighbor": upsample_nearest_neighbor,
    "upsample_bilinear": upsample_bilinear, "slice_by_index": slice_by_index,
    "relu": lambda x: np.maximum(x, 0), "leaky_relu": lambda x, alpha: np.where(x > 0, x, alpha * x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": lambda x: np.tanh(x),
    "clip": lambda x, alpha, beta: np.clip(x, alpha, beta),
    "linear_activation": lambda x, alpha, beta: alpha * x + beta,
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
    "round": lambda x: np.rint(x), "floor": lambda x: np.floor(x), "identity": lambda x: x,
    "cast": lambda x, dtype: x.astype({"fp16": np.float16, "fp32": F}[dtype]).astype(F)}


def run(program, picture):
    """The program's output for [H, W, 3], and what its last clamp gives, which is not rounded yet: both [H, W, 3]."""
    function = program.functions["main"]
    (name,) = function.inputs
    values = {name: picture.transpose(2, 0, 1)[None].astype(F)}
    before = None
    for operation in function.operations:
        if operation.op_type == "const" or operation.op_type.startswith("constexpr_"):
            continue
        arguments = {
            role: values[variable.name] if variable.name in values else value(variable)
            for role, variable in operation.inputs.items() if variable is not None and not isinstance(variable, tuple)}
        result = OPERATIONS[operation.op_type](**arguments)
        if operation.op_type == "clip":
            before = np.asarray(result, F)
        values[operation.outputs[0].name] = np.asarray(result, F)
    return [v[0].transpose(1, 2, 0) for v in (values[function.outputs[0].name], before)]
