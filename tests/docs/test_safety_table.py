"""The table of safe and unsafe texts is the rule itself: it equals the code, and every text in it is tried."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from ditto_core import InteractionError, InvalidValue
from ditto_core.contracts.safety import RULES, unsafe_reason
from tests.docs.pages import Row, list_table, page, section, spans

TABLE = list_table(section(page("errors.md"), "### Which messages are safe"))


def texts(cell: str) -> tuple[str, ...]:
    """Give the texts of a cell: each a string of Python, or one that is repeated."""
    return tuple(value(ast.parse(written, mode="eval").body) for written in spans(cell))


def value(node: ast.expr) -> Any:
    if isinstance(node, ast.BinOp):
        return value(node.left) * value(node.right)
    return ast.literal_eval(node)


def name(row: Row) -> str:
    """Give the name of the row's rule."""
    return spans(row[0])[0]


@pytest.mark.promise("D-ERR-08")
def test_the_table_has_every_rule_in_its_order() -> None:
    told = [(rule, texts(refused), texts(accepted)) for rule, refused, accepted in TABLE]
    assert told == [(f"`{rule.name}`: {rule.why}", rule.refused, rule.passed) for rule in RULES]


@pytest.mark.promise("D-ERR-08", "ERR-04", "ERR-05", "ERR-06")
@pytest.mark.parametrize("row", TABLE, ids=name)
def test_every_text_of_a_row_is_refused_or_accepted_as_it_says(row: Row) -> None:
    for text in texts(row[1]):
        with pytest.raises(InvalidValue):
            InteractionError(code="X", message=text)
    for text in texts(row[2]):
        assert InteractionError(code="X", message=text).message == text


@pytest.mark.promise("D-ERR-08")
@pytest.mark.parametrize("row", TABLE, ids=name)
def test_every_text_is_refused_by_the_rule_of_its_row(row: Row) -> None:
    (rule,) = [rule for rule in RULES if rule.name == name(row)]
    assert {unsafe_reason(text) for text in texts(row[1])} == {rule.what}
