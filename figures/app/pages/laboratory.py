"""The laboratory: any model, its kernel, features, stability and bounds, and every statement on it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from figures.app import page_parts
from figures.app.controls import Choice, Control, Count, Slider, Upload
from figures.app.drawing.figure import Drawn, Figure
from figures.app.drawing.picture import picture
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import bench_pictures, bench_words, grids
from figures.app.tours import laboratory_tour as tour
from figures.app.tours.witnesses_tour import gallery, witness_subject
from figures.parts import distance_and_values, kernel_heatmap, model_graph, stability_sweep
from tabular_krope.errors import KropeError
from tabular_krope.named.models import Subject, read_model
from tabular_krope.report.digits import three

LEAD = r"""
Choose a model, a policy, [[data]] and [[features]]; everything is computed anew. *Lopsided* data differ by a factor of
$10^4$ between [[pair|pairs]]. **To see [[LSPE]] blow up:** *witness: equal marginals*, lopsided data, random features, $d = 2$.
"""
MORE = r"""
**Every statement, on this model** (last tab). A statement that is refuted in general may hold here, and one that holds in general
says nothing here where its premise is not met. *Too large (412 > 120)*: the model has 412 pairs, and that statement is judged
on up to 120. *Lost to rounding*: floats break it where they may well be wrong, and the model is too large for fractions.

**A file of your own** is a `.json` or `.npz` model as the library writes it, 2 MB at most. It stays in your browser, which sends it
along with every question; the app keeps nothing.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    models = {spec: name for name, spec in tour.MODELS.items()}
    models |= {
        one.key: f"gallery: {one.title[0].lower()}{one.title[1:]}, {len(one.witness['r'])} pairs" for one in gallery()
    }
    first, data = next(iter(models)), "uniform"
    if asked.own_name:
        models[tour.OWN] = f"own file: {asked.own_name}"
        first = tour.OWN
        data = "own" if asked.own is not None and asked.own.weights is not None else "uniform"
    gammas, gamma = _gammas(asked, asked.query.get("model", first))
    return (
        Choice("model", "model", models, first),
        Choice("policy", "policy", {name: name for name in tour.POLICIES}, "random"),
        Choice("data", "data", {name: name for name in tour.WEIGHTS}, data),
        Choice("kind", "features", {kind: name for name, kind in tour.FEATURES.items()}, "krope"),
        Slider("d", "how many, d", [str(k) for k in range(1, 21)], "3"),
        Slider("gamma", "discount \u03b3", gammas, gamma),
        Count("seed", "random number", 0, 999, 0),
        Upload("file", "own file"),
    )


def _gammas(asked: Asked, model: str) -> tuple[list[str], str]:
    """What the slider offers, the discount factors of the model and of the address among them; and where it begins."""
    first, more = "0.9", []
    own = (
        asked.own if model == tour.OWN else witness_subject(model) if model in {one.key for one in gallery()} else None
    )
    if own is not None:
        first = repr(float(tour.process(own, "uniform", None).gamma))
        more.append(first)
    asked_for = asked.query.get("gamma", "")
    if len(asked_for) < 25 and asked_for.replace(".", "", 1).isdecimal() and 0 < float(asked_for) <= 1:
        more.append(asked_for)
    offered = {float(text): text for text in (*(f"{k / 100:g}" for k in range(10, 100)), *more)}
    return [offered[value] for value in sorted(offered)], offered[float(first)]


@lru_cache(maxsize=32)
def _named_subject(model: str, seed: int) -> Subject:
    return witness_subject(model) if model.startswith("witness:") else read_model(model, seed=seed)


@lru_cache(maxsize=8)
def _named_bench(model: str, seed: int, policy: str, data: str, d: int, gamma: float, kind: str) -> tour.Bench:
    return tour.compute(_named_subject(model, seed), policy, data, d, gamma, kind)


def _figures(found: tour.Bench, model: str) -> list[Figure | Drawn]:
    analysis, grid = found.analysis, grids.grid_of(model)
    if grid is None:
        shape = partial(model_graph.draw, model_graph.compute(analysis.mrp, found.names))
    else:
        shape = partial(grids.draw_grid, grid, analysis.mrp.v)
    square = None if grid is None else shape
    heat = partial(kernel_heatmap.draw, kernel_heatmap.compute(analysis.K, found.names))
    sweep = partial(stability_sweep.draw, bench_pictures.sweep_of(found))
    rows: list[tuple[str, Any]] = [
        ("Model", shape),
        ("Kernel", heat),
        ("Features", partial(bench_pictures.draw_plane, found)),
        ("Stability against d", sweep),
    ]
    if analysis.all_bounds is not None:
        rows.append(
            (
                "Values and distances",
                partial(distance_and_values.draw, distance_and_values.compute(analysis.all_bounds)),
            )
        )
    drawn = [
        Drawn(name, "", partial(picture, draw, name.lower(), name == "Kernel" or draw is square)) for name, draw in rows
    ]
    return [
        bench_pictures.path_figure(found),
        *drawn,
        Drawn("Every statement", "What each statement says on this model", partial(_statements, found)),
    ]


def _statements(found: tour.Bench) -> str:
    tone = {"holds": True, "an example": True, "fails": False}
    rows = [
        [
            page_parts.plain(one.slug),
            page_parts.number(f"on-{one.slug}", one.outcome, good=tone.get(one.outcome)),
            one.expected,
            page_parts.plain(one.claim),
        ]
        for one in tour.statements(found)
    ]
    return page_parts.table(["statement", "here", "in general", "what it says"], rows)


def _numbers(found: tour.Bench, shown: str, notes: Sequence[str]) -> str:
    main, model = found.analysis.stability, found.analysis.model
    bound = model.gamma**0.5
    error: Any = found.analysis.value_error if main.stable else "no limit"
    size = f"{model.n_states} states, {model.n_actions} action{'' if model.n_actions == 1 else 's'}"
    rows = [
        ["model", page_parts.number("shown", shown)],
        ["size", f"{size}, {page_parts.number('pairs', found.analysis.mrp.n_pairs)} pairs"],
        [
            "rank of K, features",
            f"{page_parts.number('rank', found.analysis.kernel.rank)}, {page_parts.number('features', found.analysis.features.d)}",
        ],
        ["spectral radius of L", page_parts.number("rho", main.spectral_radius, good=main.stable)],
        [
            "norm of L",
            f"{page_parts.number('norm', main.norm, good=main.norm <= bound + bench_words.SLACK)} (\u221a\u03b3 = {three(bound)})",
        ],
        ["\u03b3", page_parts.number("gamma", model.gamma)],
        ["largest error of a value", page_parts.number("error", error)],
    ]
    return page_parts.table(["", ""], rows) + "".join(f"<p><em>{page_parts.plain(note)}</em></p>" for note in notes)


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    model = values["model"]
    settings = (values["policy"], values["data"], int(values["d"]), float(values["gamma"]), values["kind"])
    if model == tour.OWN:
        if asked.own is None:
            raise KropeError(asked.problem or "The file is no longer here: choose it again.")
        subject, found = asked.own, tour.compute(asked.own, *settings)
        shown = f"own file: {asked.own_name}"
    else:
        subject = _named_subject(model, values["seed"])
        policy, data, d, gamma, kind = settings
        found = _named_bench(model, values["seed"], policy, data, d, gamma, kind)
        shown = next((name for name, spec in tour.MODELS.items() if spec == model), model)
    words, good = bench_words.stability_words(found)
    notes = bench_words.notes(found)
    if subject.reward_range is not None:
        notes.append(f"The file's own reward range, {' to '.join(subject.reward_range)}, is used.")
    return Answer(words, good, _figures(found, model), _numbers(found, shown, notes), _command(values, found))


def _command(values: Mapping[str, Any], found: tour.Bench) -> str:
    """The command that shows the same, where there is one."""
    model, data, kind = values["model"], values["data"], values["kind"]
    if model not in tour.MODELS.values() or data not in ("uniform", "occupancy") or kind not in ("krope", "random"):
        return ""
    said = f"krope analyze {model} --dim {values['d']} --gamma {values['gamma']}"
    said += f" --features {kind}" if kind != "krope" else ""
    said += f" --weights {data}" if data != "uniform" else ""
    said += f" --policy {values['policy']}" if not found.own_policy else ""
    return said + (f" --seed {values['seed']}" if values["seed"] else "")


SHEET = Sheet(LEAD, _controls, _answer, MORE)
