import numpy as np
import pytest

from figures.studies.sheet import render_study
from figures.studies.van_roy import PAIRINGS, STUDY
from figures.studies.van_roy_training import Settings, frequencies, kinds_of_transitions, start, train
from tabular_krope.models.zoo import zoo

pytest.importorskip("torch")
SMALL = Settings(trials=3, epochs=12, on_policy=300, off_policy=700, batch=500)
MDP = zoo("van-roy").model


def test_frequencies_are_those_of_the_data():
    shares = frequencies(MDP, Settings(on_policy=200_000, off_policy=500_000), 3, np.random.default_rng(0))
    source, _ = kinds_of_transitions(MDP)
    per_state = np.array([shares[source == s].sum() for s in range(4)])
    # An episode has one w1, 0.8 w2, 0.2 w3 and 0.2 * 5 visits of 2w3: three transitions in the mean.
    on_policy = np.array([1.0, 0.8, 1.0, 0.2]) / 3.0
    wanted = (200_000 * on_policy + 500_000 * np.eye(4)[3]) / 700_000
    assert per_state == pytest.approx(wanted, abs=0.005)


def test_first_losses_are_those_of_the_definition():
    losses = train(SMALL, "w1", alpha=0.8)
    begin = start(SMALL, MDP, "w1")
    source, target = kinds_of_transitions(MDP)
    native = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 2], [0, 0, 1]])
    r = MDP.r.reshape(-1)[source]
    for t in range(3):
        phi = native @ begin.encoder[t, :3] + begin.encoder[t, 3]
        after = np.vstack([phi, np.zeros(3)])[target]
        wanted = by_mean = 0.0
        expected = [
            [sum(D[source == s, None] * after[source == s]) / D[source == s].sum() for s in range(4)]
            for D in (begin.D1[t], begin.D2[t])
        ]
        for i in range(6):
            for j in range(6):
                share, found = begin.D1[t, i] * begin.D2[t, j], phi[source[i]] @ phi[source[j]]
                wanted += share * (1 - abs(r[i] - r[j]) + after[i] @ after[j] - found) ** 2
                mean = expected[0][source[i]] @ expected[1][source[j]]
                by_mean += share * (1 - abs(r[i] - r[j]) + mean - found) ** 2
        assert losses["krope"][0, t] == pytest.approx(wanted)
        assert losses["krope_mean"][0, t] == pytest.approx(by_mean)
        errors = r + after @ begin.head[t] - phi[source] @ begin.head[t]
        assert losses["fqe"][0, t] == pytest.approx(begin.D1[t] @ errors**2)


def test_trials_share_their_start_over_pairings():
    one, other = start(SMALL, MDP, "w1"), start(SMALL, MDP, "w3")
    assert np.array_equal(one.D1, other.D1)
    assert np.array_equal(one.head, other.head)
    assert not np.array_equal(one.D2, other.D2)


def test_without_krope_its_pairing_does_not_matter():
    assert np.array_equal(train(SMALL, "w1", 0.0)["fqe"], train(SMALL, "none", 0.0)["fqe"])


def test_data_of_one_state_alone():
    shares = frequencies(MDP, Settings(on_policy=0), 3, np.random.default_rng(0))
    assert shares.tolist() == [0, 0, 0, 0, 0, 1]
    losses = train(Settings(trials=2, epochs=2, on_policy=0, off_policy=100, batch=50), "w2", 0.8)
    # Transitions of w3 and of w2 are deterministic: nothing to average.
    np.testing.assert_allclose(losses["krope"], losses["krope_mean"], rtol=1e-12)


def test_it_is_finished_and_drawn(tmp_path):
    parts = [STUDY.compute(SMALL, piece, tmp_path) for piece in STUDY.pieces(SMALL)]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    data = STUDY.finish(SMALL, joined)
    assert data["pairings"].tolist() == [*PAIRINGS, "w1", "w2", "2w3", "w3"]
    none = PAIRINGS.index("none")
    assert np.array_equal(data["combined"][none], data["fqe"][none])
    assert data["combined"][0] == pytest.approx(0.8 * data["krope"][0] + 0.2 * data["fqe"][0])
    assert set(render_study(STUDY, data)) == {"png", "svg"}
