import pytest

from tabular_krope.control.tasks import RECIPES, TARGET, TASKS, recipe_named, task_named
from tabular_krope.errors import KropeError


def test_the_data_sets_of_the_study():
    control = {"dmc-cartpole-swingup", "dmc-cheetah-run", "dmc-finger-turn_easy", "dmc-walker-stand"}
    locomotion = {
        f"{body}-{kind}"
        for body in ("halfcheetah", "hopper", "walker2d")
        for kind in ("random", "medium", "medium-expert")
    }
    assert {recipe.name for recipe in RECIPES} == control | locomotion


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("cartpole-swingup", [50, 20, 5]),
        ("finger-turn_easy", [100, 71, 32]),
        ("cheetah-run", [51, 27, 2]),
        ("walker-stand", [90, 55, 40]),
    ],
)
def test_the_papers_values_and_thirds(name, values):
    recipe = recipe_named(f"dmc-{name}")
    assert [value for _, value in recipe.task.wanted] == values
    assert recipe.behaviours == (TARGET, "behaviour-1", "behaviour-2")
    assert (recipe.task.action_repeat, recipe.task.gamma) == (2, 0.99)


def test_locomotion_acts_with_noise_and_its_target_is_late():
    assert recipe_named("hopper-random").behaviours == ("random",)
    assert all(task.noise == 0.1 for task in TASKS if task.suite == "gymnasium")


def test_unknown_names():
    with pytest.raises(KropeError, match=r"got 'dmc-walker-stnad' \(did you mean 'dmc-walker-stand'\?\)"):
        task_named("dmc-walker-stnad")
    with pytest.raises(KropeError, match="name must be one of"):
        recipe_named("hopper")
