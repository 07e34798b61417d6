"""How much of a command's output a tool returns."""

from __future__ import annotations

from typing import Final

import attrs

from ditto_core import CommandResult, InvalidValue

MAX_ENTRIES: Final = 10_000
"""The most lines that may be asked for."""
MAX_OUTPUT_BYTES: Final = 1_048_576
"""The most bytes of standard output that may be asked for."""
MAX_ERROR_BYTES: Final = 65_536
"""The most bytes of standard error that may be asked for."""


@attrs.frozen(kw_only=True)
class Limits:
    """Lines and bytes of standard output, bytes of standard error. Raises :class:`InvalidValue`."""

    max_entries: int
    max_output_bytes: int
    max_error_bytes: int

    def __attrs_post_init__(self) -> None:
        _check(self.max_entries, MAX_ENTRIES, "max_entries")
        _check(self.max_output_bytes, MAX_OUTPUT_BYTES, "max_output_bytes")
        _check(self.max_error_bytes, MAX_ERROR_BYTES, "max_error_bytes")

    def cut(self, result: CommandResult) -> CommandResult:
        """Return the result within the limits: an executor may be foreign, and is not taken at its word.

        Where anything is missing, ``cut`` names the output it is missing of.
        """
        stdout = _first_bytes(_first_lines(result.stdout, self.max_entries), self.max_output_bytes)
        stderr = _first_bytes(result.stderr, self.max_error_bytes)
        missing = set(_cut_before(result))
        if stdout != result.stdout:
            missing.add("stdout")
        if stderr != result.stderr:
            missing.add("stderr")
        if not missing:
            return result
        return attrs.evolve(result, stdout=stdout, stderr=stderr, truncated=True, cut=frozenset(missing))


def _check(value: object, most: int, field: str) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise InvalidValue(f"CommandTools.{field}", f"must be an integer from 1 to {most}")


def _cut_before(result: CommandResult) -> frozenset[str]:
    """Return of which outputs the executor has cut something.

    One that says only that something is missing may have cut each output whose size does not prove it whole.
    """
    if result.cut or not result.truncated:
        return result.cut
    outputs = {"stdout": (result.stdout, result.stdout_bytes), "stderr": (result.stderr, result.stderr_bytes)}
    return frozenset(name for name, (text, size) in outputs.items() if not _is_whole(text, size)) or frozenset(outputs)


def _is_whole(text: str, size: int) -> bool:
    """Tell whether `text` has room for all the `size` bytes that were seen: each U+FFFD may stand for only one."""
    return size <= len(text.encode()) - 2 * text.count("\ufffd")


def _first_lines(text: str, count: int) -> str:
    position = 0
    for _ in range(count):
        position = text.find("\n", position) + 1
        if not position:
            return text
    return text[:position]


def _first_bytes(text: str, count: int) -> str:
    if len(text) <= count // 4:  # a character has at most four bytes
        return text
    data = text.encode()
    return text if len(data) <= count else data[:count].decode(errors="ignore")
