"""The options of the provider, checked when it is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ditto_core import InvalidValue

from .addresses import check_base
from .documents import Document
from .limits import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES

_MOST: Final = {"max_files": MAX_FILES, "max_file_bytes": MAX_FILE_BYTES, "max_total_bytes": MAX_TOTAL_BYTES}


def as_tuple(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents; what is no collection of them is for :func:`check` to refuse."""
    given: Any = documents
    return tuple(given) if isinstance(given, Iterable) else (given,)


def check(search: Any) -> None:
    """Raise :class:`InvalidValue` for options that a :class:`LocalSearch` cannot work with."""
    if not all(type(document) is Document for document in search.documents):
        raise InvalidValue("LocalSearch.documents", "must hold Document objects only")
    for name in ("folder", "index_file"):
        path = getattr(search, name)
        if path is not None and (type(path) is not str or not path or "\0" in path):
            raise InvalidValue(f"LocalSearch.{name}", "must be a path as text, such as 'docs' or str(path), or None")
    if search.folder is None and not search.documents:
        raise InvalidValue("LocalSearch.folder", "is missing, and there are no documents either; give one of them")
    check_base(search.base_url, "LocalSearch.base_url")
    if type(search.suffixes) is not tuple or not search.suffixes or not all(map(_is_suffix, search.suffixes)):
        raise InvalidValue("LocalSearch.suffixes", "must be a tuple of texts such as ('.md', '.txt')")
    for name, most in _MOST.items():
        given = getattr(search, name)
        if type(given) is not int or not 1 <= given <= most:
            raise InvalidValue(f"LocalSearch.{name}", f"must be an int from 1 to {most:,}")


def _is_suffix(suffix: object) -> bool:
    return type(suffix) is str and len(suffix) > 1 and suffix.startswith(".")
