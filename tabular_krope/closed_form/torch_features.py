"""A feature map as a module of torch, for a network that goes on from there."""

from typing import TYPE_CHECKING

from tabular_krope.closed_form.base_features import FourierFeatures, OneHotFeatures
from tabular_krope.extras import needed

if TYPE_CHECKING:
    import torch

    from tabular_krope.closed_form.feature_map import FeatureMap
else:
    torch = needed("torch")


class TorchFeatures(torch.nn.Module):
    """Inputs [..., k] to features [..., d], the same numbers as `FeatureMap.__call__`.

    The arrays are buffers: they move with ``.to(device)``, are part of the ``state_dict``, and are not trained.
    """

    map: "torch.Tensor"
    theta: "torch.Tensor"
    frequencies: "torch.Tensor"
    phases: "torch.Tensor"

    def __init__(self, features: "FeatureMap") -> None:
        super().__init__()
        base = features.base
        self.register_buffer("map", torch.tensor(features.map))
        self.register_buffer("theta", torch.tensor(features.theta))
        self.actions = base.n_actions if isinstance(base, OneHotFeatures) else 0
        self.waves = isinstance(base, FourierFeatures)
        if isinstance(base, FourierFeatures):
            self.register_buffer("frequencies", torch.tensor(base.frequencies))
            self.register_buffer("phases", torch.tensor(base.phases))

    def forward(self, inputs: "torch.Tensor") -> "torch.Tensor":
        """Features [..., d] of inputs as `FeatureMap.base` takes them; pairs may be integers."""
        if self.actions:
            return self.map[(inputs[..., 0] * self.actions + inputs[..., 1]).long()]
        if not self.waves:
            return inputs @ self.map
        cosines = torch.cos(inputs @ self.frequencies + self.phases)
        size = (2.0 / max(self.phases.shape[0], 1)) ** 0.5
        mapped: torch.Tensor = self.map[0] + size * cosines @ self.map[1:]
        return mapped

    def values(self, inputs: "torch.Tensor") -> "torch.Tensor":
        """LSPE's estimate of the action values, [...]."""
        values: torch.Tensor = self(inputs) @ self.theta
        return values
