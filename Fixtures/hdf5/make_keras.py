#!/usr/bin/env python3
"""Writes the Keras files of this folder, and what Keras itself makes of a picture with them (the .npy files).

    make_keras.py        (needs tensorflow-cpu, keras 3, tf_keras, numpy, pillow; make_dumps.py comes first)

`mosaic` is the network of state_dict.h5, put together from Keras's layers. `layers` has one of each layer that is read, and
seeded numbers. Both are written by Keras 2 (tf_keras) and Keras 3, which must agree. Each golden is float32 [H, W, 3] in
pixels of 0…255, of an odd-sized part of ../chelsea_96x64.png (`tall_43x61`), so that "same" padding has its odd rows.
"""
import os, sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import h5py
import numpy as np
from PIL import Image

here = os.path.dirname(os.path.abspath(__file__))
picture = np.asarray(Image.open(here + "/../chelsea_96x64.png").convert("RGB"))[2:63, 20:63]  # 61 rows, 43 columns
Image.fromarray(picture).save(here + "/tall_43x61.png")


def layers_of(keras):
    """The layers that Keras 2 lacks or that everybody writes himself, under the names that they go by."""
    import tensorflow as tf

    class ReflectionPadding2D(keras.layers.Layer):
        def __init__(self, padding=(1, 1), **settings):
            super().__init__(**settings)
            self.padding = tuple(padding)

        def call(self, x):
            vertical, horizontal = self.padding
            return tf.pad(x, [[0, 0], [vertical] * 2, [horizontal] * 2, [0, 0]], "REFLECT")

        def get_config(self):
            return {**super().get_config(), "padding": self.padding}

    class InstanceNormalization(keras.layers.Layer):
        def __init__(self, axis=-1, epsilon=1e-3, **settings):
            super().__init__(**settings)
            self.axis, self.epsilon = axis, epsilon

        def build(self, shape):
            self.gamma = self.add_weight(name="gamma", shape=(shape[-1],), initializer="ones")
            self.beta = self.add_weight(name="beta", shape=(shape[-1],), initializer="zeros")

        def call(self, x):
            mean, variance = tf.nn.moments(x, [1, 2], keepdims=True)
            return (x - mean) * tf.math.rsqrt(variance + self.epsilon) * self.gamma + self.beta

        def get_config(self):
            return {**super().get_config(), "axis": self.axis, "epsilon": self.epsilon, "center": True, "scale": True}

    class Denormalize(keras.layers.Layer):
        def call(self, x):
            return (x + 1) * 127.5

    return ReflectionPadding2D, InstanceNormalization, Denormalize


def mosaic(keras, weights):
    """Our own network as Keras would have it: pixels of 0…255 in and out."""
    L = keras.layers
    ReflectionPadding2D, InstanceNormalization, _ = layers_of(keras)
    loads = []

    def block(x, key, out, kernel, stride=1, norm=True):
        x = ReflectionPadding2D((kernel // 2, kernel // 2))(x)
        convolution = L.Conv2D(out, kernel, strides=stride)
        x = convolution(x)
        loads.append((convolution, [weights[key + ".block.1.weight"].transpose(2, 3, 1, 0), weights[key + ".block.1.bias"]]))
        if norm:
            layer = InstanceNormalization(epsilon=1e-5)
            x = layer(x)
            loads.append((layer, [weights[key + ".norm.weight"], weights[key + ".norm.bias"]]))
        return x

    mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    picture = x = keras.Input((None, None, 3))
    x = L.Rescaling((1 / (255 * deviation)).tolist(), (-mean / deviation).tolist())(x)
    x = L.ReLU()(block(x, "model.0", 8, 9))
    x = L.ReLU()(block(x, "model.1", 16, 3, 2))
    x = L.Activation("relu")(block(x, "model.2", 32, 3, 2))
    y = L.Activation("relu")(block(x, "model.3.block.0", 32, 3))
    y = block(y, "model.3.block.1", 32, 3)
    x = L.Add()([x, y])
    x = L.Activation("relu")(block(L.UpSampling2D(2)(x), "model.4", 16, 3))
    x = L.Activation("relu")(block(L.UpSampling2D(2)(x), "model.5", 8, 3))
    x = block(x, "model.6", 3, 9, norm=False)
    x = L.Rescaling((255 * deviation).tolist(), (255 * mean).tolist())(x)
    network = keras.Model(picture, x)
    for layer, values in loads:
        layer.set_weights(values)
    return network


def every_layer(keras):
    """One of each layer, with numbers that keep what flows away from zero and from infinity."""
    L = keras.layers
    ReflectionPadding2D, InstanceNormalization, Denormalize = layers_of(keras)
    inner = keras.Sequential([L.Input((None, None, 6)), L.Conv2D(6, 3, padding="same", dilation_rate=2, groups=2), L.LeakyReLU(0.1)], name="inner")
    picture = x = keras.Input((None, None, 3))
    x = L.Rescaling(1 / 127.5, -1.0)(x)
    x = L.Conv2D(4, (3, 5), strides=2, padding="same", activation="relu", name="first")(x)
    x = L.BatchNormalization()(x)
    x = L.DepthwiseConv2D(3, strides=(1, 1), padding="same", depth_multiplier=2, use_bias=False)(x)
    x = L.SeparableConv2D(6, 4, strides=2, padding="same", activation="tanh")(x)
    x = inner(x)
    x = L.ZeroPadding2D(((1, 0), (2, 1)))(x)
    x = L.Cropping2D(((0, 1), (1, 1)))(x)
    x = ReflectionPadding2D((1, 2))(x)
    x = L.Conv2DTranspose(5, 3, strides=2, padding="same", activation="relu")(x)
    x = InstanceNormalization()(x)
    x = L.ReLU(max_value=6.0)(x)
    y = L.Conv2D(5, 1, use_bias=False)(x)
    x = L.Subtract()([x, y])
    y = L.Conv2DTranspose(5, 2, strides=3, padding="valid")(x)
    x = L.Conv2DTranspose(5, 4, strides=3, padding="same", use_bias=False)(x)
    y = L.Activation("sigmoid")(L.Conv2D(5, 1)(y))
    x = L.Multiply()([x, y])
    x = L.UpSampling2D((2, 1), interpolation="bilinear")(x)
    x = L.Dropout(0.5)(x)
    x = x * 0.5 + 0.25
    x = L.Conv2D(3, 3, strides=(2, 1), padding="same", activation="tanh")(x)
    network = keras.Model(picture, Denormalize()(x))
    random = np.random.default_rng(7)
    for layer in network.layers:
        values = []
        for variable, value in zip(layer.weights, layer.get_weights()):
            if value.ndim == 4:
                value = random.normal(size=value.shape) * 1.5 / np.sqrt(value[..., 0].size)
            elif "bias" in variable.name or "beta" in variable.name or "mean" in variable.name:
                value = random.normal(size=value.shape) * 0.2
            else:
                value = 1 + random.uniform(-0.3, 0.3, size=value.shape)
            values.append(value.astype(np.float32))
        layer.set_weights(values)
    return network


with h5py.File(here + "/state_dict.h5") as dump:
    weights = {name: dump[name][()] for name in dump}
import keras, tf_keras

goldens = {}
for release, framework in ((2, tf_keras), (3, keras)):
    for name, network in (("mosaic", mosaic(framework, weights)), ("layers", every_layer(framework))):
        path = f"{here}/{name}_keras{release}"
        result = network.predict(picture[None].astype(np.float32), verbose=0)[0]
        print(name, release, picture.shape, result.shape, result.min(), result.max(), result.std())
        assert np.abs(result - goldens.setdefault(name, result)).max() < 1e-3
        if (name, release) != ("mosaic", 3):
            network.save(path + ".h5", include_optimizer=False)
        if release == 3:
            network.save(path + ".keras", include_optimizer=False)
            if name == "layers":
                network.save_weights(path + ".weights.h5")
for name, golden in goldens.items():
    np.save(f"{here}/{name}.npy", golden.astype(np.float32))
