"""The networks: an encoder with one wide hidden layer, a value head, and the small parts some algorithms need.

Parameters are drawn on the CPU from the seed and then moved, so that every device starts from the same numbers.
"""

from typing import Any

from deep.backend import torch
from deep.control import by_hand
from deep.control.config import ControlConfig
from deep.losses.regression import Tensor

#: Bounds of the Gaussian model's standard deviations, those of DBC's public code.
SIGMA_MIN, SIGMA_MAX = 1e-4, 10.0


class Encoder(torch.nn.Module):
    """Pairs [B, inputs] to features [B, d]: linear, ReLU, LayerNorm, linear; or with LayerNorm before ReLU.

    On the CPU the first of the two is done by hand where ``step`` says so; autograd does the rest.
    """

    def __init__(self, inputs: int, hidden: int, d: int, norm: str = "after", step: str = "autograd") -> None:
        super().__init__()
        self.widen = torch.nn.Linear(inputs, hidden)
        self.norm = torch.nn.LayerNorm(hidden)
        self.narrow = torch.nn.Linear(hidden, d)
        self.before, self.step = norm == "before", step
        self.by_hand = step != "autograd" and norm == "after"

    def units(self, x: Tensor) -> Tensor:
        """The hidden layer, [B, hidden]."""
        wide = self.widen(x)
        return torch.relu(self.norm(wide)) if self.before else self.norm(torch.relu(wide))

    def forward(self, x: Tensor) -> Tensor:
        """The features, [B, d]."""
        if self.by_hand and x.device.type == "cpu":
            return by_hand.encode(self, x)
        phi: Tensor = self.narrow(self.units(x))
        return phi


class Networks(torch.nn.Module):
    """Everything one algorithm trains."""

    def __init__(self, config: ControlConfig, inputs: int) -> None:
        super().__init__()
        d = config.dimension_of(inputs)
        self.encoder = Encoder(inputs, config.hidden, d, config.norm, config.step)
        self.head_scale = config.head_scale
        plain = config.algorithm.startswith("bcrl")
        self.head = None if plain else torch.nn.Linear(d, 1, bias=False)
        self.model = torch.nn.Linear(d, 2 * d) if config.algorithm == "dbc" else None
        self.M = torch.nn.Linear(d, d, bias=False) if plain else None
        self.rho = torch.nn.Linear(d, 1, bias=False) if plain else None

    def value(self, phi: Tensor) -> Tensor:
        """``q = scale phi w``, [B]."""
        assert self.head is not None
        q: Tensor = self.head_scale * self.head(phi)[..., 0]
        return q

    def head_weight(self) -> Tensor:
        """``scale w``, [d]: the weights of the value in the features."""
        assert self.head is not None
        return self.head_scale * self.head.weight[0]

    def gaussian(self, phi: Tensor) -> tuple[Tensor, Tensor]:
        """DBC's means and standard deviations of the next features, each [B, d]."""
        assert self.model is not None
        mu, raw = self.model(phi).chunk(2, dim=-1)
        return mu, SIGMA_MIN + (SIGMA_MAX - SIGMA_MIN) * torch.sigmoid(raw)


def new_networks(config: ControlConfig, inputs: int, device: torch.device) -> Networks:
    """Networks as the seed draws them; the global random state is left as it was.

    >>> networks = new_networks(ControlConfig("fqe", hidden=8), 6, torch.device("cpu"))
    >>> networks.encoder(torch.zeros(4, 6)).shape
    torch.Size([4, 3])
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return Networks(config, inputs).to(device)


def optimizer(config: ControlConfig, networks: Networks) -> torch.optim.Adam:
    """AdamW, or Adam with its L2 term, with the learning rate of each part; fused beside the step by hand."""
    rates = {"model": config.model_learning_rate, "M": config.predictor_learning_rate}
    rates["rho"] = config.predictor_learning_rate
    parts: dict[float, list[Tensor]] = {}
    for name, tensor in networks.named_parameters():
        parts.setdefault(rates.get(name.split(".")[0], config.learning_rate), []).append(tensor)
    groups: list[dict[str, Any]] = [{"params": tensors, "lr": rate} for rate, tensors in parts.items()]
    kind = torch.optim.AdamW if config.optimizer == "adamw" else torch.optim.Adam
    fused = networks.encoder.by_hand and next(networks.parameters()).device.type == "cpu"
    try:
        return kind(groups, weight_decay=config.weight_decay, fused=fused or None)
    except RuntimeError:  # versions of torch before 2.4 fuse on GPUs alone
        return kind(groups, weight_decay=config.weight_decay)


def device_named(name: str) -> torch.device:
    """``auto`` takes a GPU where there is one.

    >>> device_named("cpu")
    device(type='cpu')
    """
    from tabular_krope.errors import KropeError, unknown_name

    if name not in ("auto", "cpu", "cuda"):
        raise unknown_name("device", name, ("auto", "cpu", "cuda"))
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise KropeError("device must be one that is available; got 'cuda' where torch sees no GPU")
    return torch.device("cuda" if name != "cpu" and there else "cpu")
