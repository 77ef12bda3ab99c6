"""Mistakes in the pages that ``--report`` writes, and in how they set mathematics."""

from tests.mutants.mutation import Mutation

PAGES, TESTS = "figures/report", "tests/figures/report"
PROSE, BOARD = f"{TESTS}/test_prose.py", f"{TESTS}/test_proof_board.py"

PAGES_OF_REPORTS = (
    Mutation(
        "primes-are-transposes",
        f"{PAGES}/plain_math.py",
        "primed = self.last in PRIMED",
        "primed = False",
        (f"{PROSE}::test_plain_mathematics_in_latex",),
    ),
    Mutation(
        "norms-lose-their-index",
        f"{PAGES}/plain_math.py",
        r'return rf"\|{inside}\|_2"',
        r'return rf"\|{inside}\|"',
        (f"{PROSE}::test_plain_mathematics_in_latex",),
    ),
    Mutation(
        "a-bar-never-closes",
        f"{PAGES}/latex_math.py",
        "open_ones[-1] == token and self.after_operand",
        "open_ones[-1] == token and not self.after_operand",
        (f"{TESTS}/test_latex_math.py::test_bars_open_and_close",),
    ),
    Mutation(
        "fractions-upside-down",
        f"{PAGES}/latex_math.py",
        'fraction = f"<mfrac>{self.script()}{self.script()}</mfrac>"',
        'top, low = self.script(), self.script()\n            fraction = f"<mfrac>{low}{top}</mfrac>"',
        (f"{TESTS}/test_latex_math.py::test_the_same_signs_as_another_translator",),
    ),
    Mutation(
        "conditions-in-brackets-are-factors",
        f"{PAGES}/telling.py",
        "return False  # a condition",
        "pass  # a condition",
        (f"{PROSE}::test_what_is_mathematics",),
    ),
    Mutation(
        "comparisons-break-in-brackets",
        f"{PAGES}/prose.py",
        "if not _depth(text[: found.start()])",
        "if True",
        (f"{PROSE}::test_a_long_comparison_may_be_broken_before_its_sign_but_not_in_brackets",),
    ),
    Mutation(
        "what-falls-is-what-it-rests-on",
        f"{PAGES}/proof_board.py",
        'data-rests="{below}" data-carries="{above}" style',
        'data-rests="{above}" data-carries="{below}" style',
        (f"{BOARD}::test_each_statement_knows_what_it_rests_on_and_what_falls_with_it",),
    ),
    Mutation(
        "arrows-forget-what-is-below",
        f"{PAGES}/proof_board.py",
        "for one in (used, *_below(used, tied))",
        "for one in (used,)",
        (f"{BOARD}::test_arrows_carry_on_what_their_ends_do",),
    ),
    Mutation(
        "tightness-on-a-linear-axis",
        f"{PAGES}/tightness_rows.py",
        "log10(ratio / low) / log10(high / low)",
        "(ratio - low) / (high - low)",
        (f"{TESTS}/test_tightness_rows.py::test_dots_stand_on_a_logarithmic_axis",),
    ),
    Mutation(
        "defaults-count-as-typed",
        "krope/invocation.py",
        'source.name == "COMMANDLINE"',
        'source.name != "PROMPT"',
        ("tests/krope/test_invocation.py::test_what_was_typed_can_be_typed_again",),
    ),
    Mutation(
        "far-limits-are-good",
        "krope/analysis_report.py",
        "analysis.value_error > FAR * _size(analysis)",
        "analysis.value_error > FAR * _size(analysis) / 0.01",
        ("tests/krope/test_analysis_report.py::test_a_stable_limit_that_is_far_off_is_not_called_good",),
    ),
)
