"""A file of the reader's own: the model in it, or what is wrong with it in words about that file."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tabular_krope.errors import KropeError
from tabular_krope.named.models import MODEL_FILES, Subject, read_model


def read_upload(name: str, content: bytes) -> Subject:
    """The model in an uploaded file; errors speak of the file by the name that the reader knows.

    >>> read_upload("notes.txt", b"")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: notes.txt must be a model file, .npz or .json or .mat, ...
    """
    suffix = Path(name).suffix.lower()
    if suffix not in MODEL_FILES:
        raise KropeError(
            f"{name} must be a model file, {' or '.join(MODEL_FILES)}, "
            "as tabular_krope.save, a text editor or MATLAB writes it"
        )
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{suffix}"
        path.write_bytes(content)
        try:
            return read_model(str(path))
        except KropeError as error:
            words = str(error).replace(str(path), name).replace(path.name, name)
            raise KropeError(words if name in words else f"{name}: {words}") from None
