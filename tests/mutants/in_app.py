"""Mistakes in what the teaching app computes, draws and serves."""

from tests.mutants.mutation import Mutation

TOURS, TESTS = "figures/app/tours", "tests/figures/app"
NEW = f"{TESTS}/test_new_tours.py"

APP = (
    Mutation(
        "td-steps-once-a-frame",
        f"{TOURS}/blow_up_tour.py",
        "for _ in range(SMALL):",
        "for _ in range(1):",
        (f"{NEW}::test_td_moves_by_its_own_formula",),
    ),
    Mutation(
        "microscope-keeps-a-digit-less",
        f"{TOURS}/microscope.py",
        ":.{digits - 1}e}",
        ":.{digits - 2}e}",
        (f"{NEW}::test_the_microscope_ends_at_the_truth_and_rounds_to_digits",),
    ),
    Mutation(
        "paper-forgives-false-steps",
        f"{TOURS}/paper.py",
        "if all(relation",
        "if any(relation",
        (f"{NEW}::test_the_first_false_step_is_the_one_that_the_laboratory_finds",),
    ),
    Mutation(
        "witness-growth-forgets-the-discount",
        f"{TOURS}/witnesses_tour.py",
        "** ahead * up /",
        "* up /",
        (f"{NEW}::test_every_witness_breaks_what_its_card_says",),
    ),
    Mutation(
        "log-axis-is-linear",
        "figures/app/drawing/axis.py",
        "if self.log:\n            value",
        "if self.log and self.low > 1:\n            value",
        (f"{TESTS}/test_drawing.py",),
    ),
    Mutation(
        "memory-without-bound",
        "figures/app/serving/memory.py",
        "while self.size > self.most:",
        "while self.size < 0:",
        (f"{TESTS}/test_serving.py::test_memory_is_bounded_and_failures_are_not_kept",),
    ),
    Mutation(
        "full-app-lets-everybody-in",
        "figures/app/serving/http.py",
        "if self.places.acquire(blocking=False):",
        "if True:",
        (f"{TESTS}/test_serving.py::test_a_full_app_says_so_on_a_page",),
    ),
    Mutation(
        "sliders-take-any-number",
        "figures/app/controls.py",
        "if text not in self.steps:",
        "if len(text) > 99:",
        (f"{TESTS}/test_pages.py::test_controls_read_what_they_offer",),
    ),
)
