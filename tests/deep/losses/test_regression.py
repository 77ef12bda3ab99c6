import pytest
import torch

from deep.losses.regression import fixed, huber, normalized, regress, regress_pairs, square, weighted_mean, without_own
from tabular_krope.errors import KropeError
from tests.deep.batches import random_batch


def test_the_target_carries_no_gradient_and_the_prediction_does():
    p, t = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([0.0, 0.0], requires_grad=True)
    regress(p, t).backward()
    assert t.grad is None
    assert p.grad.tolist() == [1.0, 2.0]


def test_huber_is_torchs():
    e = torch.linspace(-3, 3, 25)
    torch.testing.assert_close(huber(e), torch.nn.functional.huber_loss(e, torch.zeros(25), reduction="none"))


def test_weights_are_normalized_and_uniform_by_default():
    values = torch.tensor([[1.0, 2.0, 6.0]])
    assert weighted_mean(values).tolist() == [3.0]
    assert weighted_mean(values, torch.tensor([[0.0, 1.0, 1.0]])).tolist() == [4.0]
    assert normalized(None, values).sum().item() == pytest.approx(1.0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", [square, huber])
def test_pairs_by_a_double_loop(weighted, penalty):
    prediction, target = (random_batch(k, B=4, d=4)[0].detach() for k in (0, 1))
    w = normalized(torch.tensor([1.0, 0.0, 2.0, 5.0]) if weighted else None, prediction[0])
    loop = sum(w[i] * w[j] * penalty(prediction[i, j] - target[i, j]) for i in range(4) for j in range(4))
    torch.testing.assert_close(regress_pairs(prediction, target, w, penalty=penalty), loop)


def test_leaving_own_pairs_out_by_a_double_loop():
    prediction, target = (random_batch(k, B=4, d=4)[0].detach() for k in (0, 1))
    loop = sum((prediction[i, j] - target[i, j]) ** 2 for i in range(4) for j in range(4) if i != j) / 12
    torch.testing.assert_close(regress_pairs(prediction, target, samples=4), loop)


def test_fixed_keeps_the_value():
    x = torch.tensor([1.0], requires_grad=True)
    assert fixed(x).item() == 1.0
    assert not fixed(x).requires_grad


def test_bad_input():
    with pytest.raises(KropeError, match="samples must be at least 2 for pairs of distinct transitions; got 1"):
        without_own(torch.tensor(1.0), torch.tensor(1.0), 1)
    with pytest.raises(KropeError, match="weights must have 3 entries, one for each row; got 2"):
        weighted_mean(torch.ones(3), torch.ones(2))
    with pytest.raises(KropeError, match="target must have 3 entries like the prediction; got 2"):
        regress(torch.ones(3), torch.ones(2))
