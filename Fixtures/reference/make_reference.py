"""Writes what PyTorch makes of two pictures with the network of mosaic_small_3000.pth: make_reference.py

The output is float32 [H, W, 3] in pixel units, neither clamped nor rounded, cropped to the picture's size. Needs
PyTorch, NumPy and Pillow.
"""

import os
import sys

import numpy
import torch
from PIL import Image

here = os.path.dirname(os.path.abspath(__file__))
fixtures = os.path.dirname(here)
sys.path.insert(0, fixtures)
from net import ConvBlock, Net, Res  # noqa: E402

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)

state = torch.load(os.path.join(fixtures, "mosaic_small_3000.pth"), map_location="cpu", weights_only=True)
width = state["model.0.block.1.weight"].shape[0]
net = Net()
net.model = torch.nn.Sequential(
    ConvBlock(3, width, 9),
    ConvBlock(width, 2 * width, 3, 2),
    ConvBlock(2 * width, 4 * width, 3, 2),
    *[Res(4 * width) for _ in range(5)],
    ConvBlock(4 * width, 2 * width, 3, up=True),
    ConvBlock(2 * width, width, 3, up=True),
    ConvBlock(width, 3, 9, norm=False, relu=False),
)
net.load_state_dict(state)
net.eval()

for name in ["chelsea_96x64", "coffee_131x97"]:
    picture = numpy.asarray(Image.open(os.path.join(fixtures, name + ".png")).convert("RGB"))
    pixels = torch.from_numpy(picture.copy()).permute(2, 0, 1).float().div(255)[None]
    with torch.no_grad():
        output = (net((pixels - MEAN) / DEVIATION) * DEVIATION + MEAN) * 255
    height, columns = picture.shape[:2]
    result = output[0].permute(1, 2, 0)[:height, :columns].contiguous().numpy()
    numpy.save(os.path.join(here, f"mosaic_small_3000-{name}.npy"), result)
