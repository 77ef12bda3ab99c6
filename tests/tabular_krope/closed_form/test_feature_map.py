"""Feature maps of raw inputs: numpy and torch alike, and kept in files."""

from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.closed_form.base_features import OneHotFeatures, random_fourier_features
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.data.files import load, load_array, save
from tabular_krope.errors import KropeError


def maps():
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((40, 3))
    waves = random_fourier_features(inputs, 6, seed=1)
    r = rng.random(40)
    plain = feature_space_krope(waves(inputs), 0.9 * waves(inputs[::-1]), r, gamma=0.9, d=3)
    pairs = feature_space_krope(np.eye(4), np.eye(4)[[1, 2, 3, 3]], [0.0, 1.0, 0.5, 0.25], gamma=0.9)
    return {
        "given": (plain, waves(inputs)),
        "waves": (plain.of(waves), inputs),
        "pairs": (pairs.of(OneHotFeatures(3, 2), [0, 1, 4, 5]), np.array([[0, 0], [2, 1], [1, 0]])),
    }


def test_of_raw_inputs():
    found = maps()
    np.testing.assert_allclose(found["waves"][0](found["waves"][1]), found["given"][0](found["given"][1]))
    pairs, inputs = found["pairs"]
    np.testing.assert_allclose(pairs(inputs), OneHotFeatures(3, 2)(inputs) @ pairs.map)
    assert not pairs(inputs)[2].any()  # a pair of which there are no data
    with pytest.raises(KropeError, match="map must have a row for each of the 8 base features; got 6"):
        replace(pairs, base=OneHotFeatures(4, 2))


@pytest.mark.parametrize("name", maps())
def test_torch_says_the_same(name):
    torch = pytest.importorskip("torch")
    made, inputs = maps()[name]
    module = made.torch()
    assert isinstance(module, torch.nn.Module)
    assert not list(module.parameters())
    np.testing.assert_allclose(module(torch.tensor(inputs)).numpy(), made(inputs), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(module.values(torch.tensor(inputs)).numpy(), made(inputs) @ made.theta, rtol=1e-12)
    again = made.torch()
    again.load_state_dict({key: torch.zeros_like(value) for key, value in module.state_dict().items()})
    again.load_state_dict(module.state_dict())
    np.testing.assert_array_equal(again(torch.tensor(inputs)), module(torch.tensor(inputs)))
    if name != "pairs":
        x = torch.tensor(inputs, requires_grad=True)
        module(x).sum().backward()
        assert x.grad.abs().sum() > 0
        single = module.float()(torch.tensor(inputs, dtype=torch.float32))
        np.testing.assert_allclose(single.numpy(), made(inputs), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("extension", [".npz", ".json", ".safetensors"])
@pytest.mark.parametrize("name", maps())
def test_files_keep_the_base(tmp_path, name, extension):
    made, inputs = maps()[name]
    path = tmp_path / f"features{extension}"
    save(made, path)
    again = load(path)
    assert type(again.base) is type(made.base)
    np.testing.assert_array_equal(again(inputs), made(inputs))
    assert (again.norm, again.rank, again.gamma) == (made.norm, made.rank, made.gamma)
    if name == "pairs":
        np.testing.assert_array_equal(load_array(path), made.map)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x10", b"\xff" * 8, b"\x02\0\0\0\0\0\0\0{}", b"\x02\0\0\0\0\0\0\0[]", b"\x05\0\0\0\0\0\0\0{nope}"],
)
def test_a_damaged_file_of_tensors_is_one_line(tmp_path, content):
    path = tmp_path / "broken.safetensors"
    path.write_bytes(content)
    with pytest.raises(KropeError) as error:
        load(path)
    assert "\n" not in str(error.value)


def test_what_is_not_dense_has_another_format(tmp_path):
    from tabular_krope.models.garnet import garnet

    with pytest.raises(KropeError, match=r"must consist of dense arrays of numbers for \.safetensors, use \.npz; got"):
        save(garnet(5, 2, sparse=True), tmp_path / "m.safetensors")
