"""Writes the ONNX files of this folder and what ONNX Runtime makes of them.

Run with Python 3.11, torch 2.13, onnx 1.23, onnxruntime 1.32: make_onnx.py
Every model but tiny_*.onnx is mosaic_small_3000.pth (see train_style.py), exported or rewritten; those in float32 share
mosaic.weights. The references are ONNX Runtime's output in pixels, [H, W, 3], for chelsea_96x64.png, cropped to 61x43
from its top left unless the model has one size.
"""
import os, sys, warnings
import numpy as np, onnx, onnxruntime, torch
from onnx import helper, numpy_helper, TensorProto
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from PIL import Image

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
import net

warnings.filterwarnings('ignore')
torch.manual_seed(0)


def network(n=8, residuals=5):
    block, residual = net.ConvBlock, net.Res
    model = net.Net()
    model.model = torch.nn.Sequential(
        block(3, n, 9), block(n, 2 * n, 3, 2), block(2 * n, 4 * n, 3, 2), *[residual(4 * n) for _ in range(residuals)],
        block(4 * n, 2 * n, 3, up=True), block(2 * n, n, 3, up=True), block(n, 3, 9, norm=False, relu=False))
    return model.eval()


def trained():
    model = network()
    model.load_state_dict(torch.load(os.path.join(here, '..', 'mosaic_small_3000.pth'), map_location='cpu'))
    return model


mean = np.array([.485, .456, .406], np.float32)[:, None, None]
deviation = np.array([.229, .224, .225], np.float32)[:, None, None]
pixels = np.asarray(Image.open(os.path.join(here, '..', 'chelsea_96x64.png')).convert('RGB'), np.float32)


def picture(width, height):
    return ((pixels[:height, :width].transpose(2, 0, 1) / 255 - mean) / deviation)[None]


path = lambda name: os.path.join(here, name)


def export(model, name, opset, dynamic=True, **more):
    example = torch.from_numpy(picture(96, 64).copy())
    axes = {'input': {2: 'height', 3: 'width'}, 'output': {2: 'height', 3: 'width'}} if dynamic else None
    torch.onnx.export(
        model, example, path(name), opset_version=opset, input_names=['input'], output_names=['output'],
        dynamic_axes=axes, **{'dynamo': False, **more})
    return onnx.load(path(name))


def save(model, name):
    onnx.checker.check_model(model)
    onnx.save(model, path(name))


def without_instance_norm(model):
    """As exporters before opset 9 wrote it: Reshape, ReduceMean, Sub, Mul, ReduceMean, Add, Sqrt, Div, Mul, Add."""
    graph, nodes = model.graph, []
    weights = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    for node in graph.node:
        if node.op_type != 'InstanceNormalization':
            nodes.append(node)
            continue
        x, gamma, beta = node.input
        y, c = node.output[0], len(weights[gamma])
        epsilon = next(a.f for a in node.attribute if a.name == 'epsilon')
        constant = lambda name, value: nodes.append(
            helper.make_node('Constant', [], [f'{y}.{name}'], value=numpy_helper.from_array(np.array(value))))
        constant('flat', np.array([1, c, 1, -1], np.int64))
        constant('column', np.array([-1, c, 1, 1], np.int64))
        constant('epsilon', np.array(epsilon, np.float32))
        step = lambda op, ins, out, **more: nodes.append(helper.make_node(op, ins, [f'{y}{out}'], **more))
        step('Reshape', [x, f'{y}.flat'], '.a')
        step('ReduceMean', [f'{y}.a'], '.mean', axes=[3], keepdims=1)
        step('Sub', [x, f'{y}.mean'], '.centred')
        step('Mul', [f'{y}.centred', f'{y}.centred'], '.squares')
        step('Reshape', [f'{y}.squares', f'{y}.flat'], '.b')
        step('ReduceMean', [f'{y}.b'], '.variance', axes=[3], keepdims=1)
        step('Add', [f'{y}.variance', f'{y}.epsilon'], '.sum')
        step('Sqrt', [f'{y}.sum'], '.deviation')
        step('Div', [f'{y}.centred', f'{y}.deviation'], '.normal')
        step('Reshape', [gamma, f'{y}.column'], '.gamma')
        step('Reshape', [beta, f'{y}.column'], '.beta')
        step('Mul', [f'{y}.normal', f'{y}.gamma'], '.scaled')
        step('Add', [f'{y}.scaled', f'{y}.beta'], '')
    del graph.node[:]
    graph.node.extend(nodes)
    # Up to IR version 3 initializers were inputs too.
    for tensor in graph.initializer:
        graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    return model


def halves(model):
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), tensor.name))
    # The scales of Resize are constants, not initializers; the standard wants them float.
    for value in list(model.graph.input) + list(model.graph.output):
        value.type.tensor_type.elem_type = TensorProto.FLOAT16
    return model


class Calibration(CalibrationDataReader):
    def __init__(self): self.data = iter([{'input': picture(96, 64)}])
    def get_next(self): return next(self.data, None)


def weights_only(model, zero_point):
    """Weights behind DequantizeLinear, per channel; what flows stays float. Odd zero points when asked for."""
    graph, nodes, tensors = model.graph, [], []
    uses = {n.input[1] for n in graph.node if n.op_type == 'Conv'}
    for tensor in graph.initializer:
        if tensor.name not in uses:
            tensors.append(tensor)
            continue
        w = numpy_helper.to_array(tensor)
        if zero_point:
            low, high = w.min((1, 2, 3)), w.max((1, 2, 3))
            scale = ((high - low) / 255).astype(np.float32)
            zero = np.clip(np.round(-low / scale), 0, 255).astype(np.uint8)
            q = np.clip(np.round(w / scale[:, None, None, None]) + zero[:, None, None, None], 0, 255).astype(np.uint8)
        else:
            scale = (np.abs(w).max((1, 2, 3)) / 127).astype(np.float32)
            zero = np.full(len(scale), 128, np.uint8)
            q = (np.clip(np.round(w / scale[:, None, None, None]), -127, 127) + 128).astype(np.uint8)
        tensors += [numpy_helper.from_array(a, tensor.name + s) for a, s in ((q, '.q'), (scale, '.s'), (zero, '.z'))]
        nodes.append(helper.make_node(
            'DequantizeLinear', [tensor.name + '.q', tensor.name + '.s', tensor.name + '.z'], [tensor.name], axis=0))
    nodes += list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.initializer[:]
    graph.initializer.extend(tensors)
    return model


# In float32: the weights, which are the same in all of them, lie once in a file beside.
shared = {}
data = bytearray()


def sharing(model, name):
    for tensor in model.graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.nbytes < 64 or value.dtype != np.float32: continue
        raw = value.tobytes()
        if raw not in shared:
            shared[raw] = len(data)
            data.extend(raw)
        tensor.ClearField('raw_data')
        tensor.data_location = TensorProto.EXTERNAL
        for key, text in ('location', 'mosaic.weights'), ('offset', shared[raw]), ('length', len(raw)):
            tensor.external_data.add(key=key, value=str(text))
    onnx.save(model, path(name))


opset17 = lambda: export(trained(), 'opset17.onnx', 17)
static = export(trained(), 'opset11.onnx', 11, dynamic=False)
decomposed = without_instance_norm(export(trained(), 'decomposed_opset9.onnx', 9))
decomposed.ir_version = 3
onnx.checker.check_model(decomposed)
dynamo = export(
    trained(), 'dynamo_opset18.onnx', 18, dynamo=True, external_data=False, optimize=True, verbose=False)
for field in ('metadata_props', 'doc_string'):
    dynamo.graph.ClearField(field)
    for node in dynamo.graph.node: node.ClearField(field)
save(weights_only(opset17(), False), 'weights_uint8.onnx')
opset17()
quantize_static(
    path('opset17.onnx'), path('qdq_int8.onnx'), Calibration(), quant_format=QuantFormat.QDQ, per_channel=True,
    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
sharing(static, 'opset11.onnx')
sharing(decomposed, 'decomposed_opset9.onnx')
sharing(dynamo, 'dynamo_opset18.onnx')
sharing(opset17(), 'opset17.onnx')
with open(path('mosaic.weights'), 'wb') as file: file.write(data)
# Untrained networks, small enough to be mutated.
tiny = network(1, 1)
for tensor in tiny.parameters(): torch.nn.init.uniform_(tensor, -1, 1)
save(without_instance_norm(export(tiny, 'tiny_opset9.onnx', 9)), 'tiny_opset9.onnx')
save(weights_only(export(tiny, 'tiny_opset17.onnx', 17), True), 'tiny_opset17.onnx')
save(halves(export(tiny, 'tiny_float16.onnx', 17)), 'tiny_float16.onnx')

for name in sorted(os.listdir(here)):
    if not name.endswith('.onnx'): continue
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path(name), options, providers=['CPUExecutionProvider'])
    width, height = (96, 64) if name == 'opset11.onnx' else (61, 43)
    x = picture(width, height).astype(np.float16 if name == 'tiny_float16.onnx' else np.float32)
    y = session.run(None, {session.get_inputs()[0].name: x})[0][0].astype(np.float32)
    y = ((y * deviation + mean) * 255)[:, :height, :width].transpose(1, 2, 0)
    print(name, os.path.getsize(path(name)), y.shape)
    if name != 'qdq_int8.onnx' and not name.startswith('decomposed') and not name.startswith('dynamo'):
        np.save(path(name.replace('.onnx', '.npy')), np.ascontiguousarray(y))
