"""PRISM and JANI models, built exactly by Storm (the extra ``storm``) and read as its DRN text."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabular_krope.data.drn_files import read_drn
from tabular_krope.errors import KropeError, reason_of
from tabular_krope.extras import needed

#: Files of models that Storm builds: PRISM's (any of its types) and JANI's.
SYMBOLIC = (".prism", ".pm", ".nm", ".jani")


def read_symbolic(
    path: Any,
    gamma: Any = None,
    reward: str | None = None,
    end: str | None = None,
    constants: Mapping[str, Any] | None = None,
) -> Any:
    """The model of a PRISM or JANI file, with its fractions, as `read_drn` gives it.

    Args:
        path: a file that ends in .prism, .pm, .nm or .jani.
        gamma, reward, end: as for `read_drn`.
        constants: values of constants that the file leaves open.

    >>> read_symbolic("none.prism")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: the file must be a model that Storm can build; got ...
    """
    storm = needed("stormpy")
    name = str(path)
    try:
        model = storm.io.parse_jani_model(name)[0] if name.endswith(".jani") else storm.io.parse_prism_program(name)
        if constants:
            words = ",".join(f"{name}={str(v).lower() if isinstance(v, bool) else v}" for name, v in constants.items())
            model = storm.io.instantiate_constants(model, words)[0]
        options = storm.BuilderOptions()
        options.set_build_all_reward_models(True)
        options.set_build_all_labels(True)
        options.set_build_choice_labels(True)
        built = storm.build_model[storm.Rational](model, options=options)
    except Exception as error:  # anything can go wrong in another program
        raise KropeError(f"the file must be a model that Storm can build; got {reason_of(error)}") from None
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "model.drn")
        storm.io.export_to_drn(built, str(text))
        return read_drn(text, gamma, reward, end)
