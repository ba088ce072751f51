"""Prints the samples that Tests/ImagingTests/ResizePictureTests.swift expects, from Pillow's float resize.

    pip install numpy pillow
    python3 tools/resize-goldens.py
"""
from pathlib import Path

import numpy as np
import PIL
from PIL import Image

photo = np.asarray(Image.open(Path(__file__).resolve().parent.parent / "Fixtures/chelsea_96x64.png").convert("RGB"))
filters = {"lanczos3": Image.LANCZOS, "bicubic": Image.BICUBIC, "bilinear": Image.BILINEAR}
print("Pillow", PIL.__version__)
for width, height in ((37, 23), (131, 97), (96, 20), (1, 1)):
    for name, kind in filters.items():
        planes = [Image.fromarray(photo[..., c].astype(np.float32)).resize((width, height), kind) for c in range(3)]
        a = np.stack([np.asarray(p) for p in planes], 2).astype(float)
        # The mean of all, and three samples: a corner of red, the middle of green, the far corner of blue.
        print(f"({width}, {height}, .{name}, {float(a.mean())!r}, {float(a[0, 0, 0])!r}, "
              f"{float(a[height // 2, width // 2, 1])!r}, {float(a[-1, -1, 2])!r}),")
