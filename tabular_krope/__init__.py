"""Exact KROPE kernels, features and stability for tabular models.

>>> import tabular_krope as tk
>>> mrp = tk.MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.9)
>>> out = tk.lspe(mrp, tk.features(tk.krope_kernel(mrp)))
>>> out.stable, round(out.spectral_radius, 12)
(True, 0.9)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.2.0"
