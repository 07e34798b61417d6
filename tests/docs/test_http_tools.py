"""The page about tools over HTTP says how an exchange ends."""

from __future__ import annotations

from typing import get_args

import pytest

from ditto_http import Ended, How
from tests.docs.pages import page, rows, span

TABLE = rows(page("http-tools.md"), "`how`", "`message`", "`retryable`")


@pytest.mark.promise("D-QUAL-07")
def test_the_table_of_endings_equals_the_code() -> None:
    assert {span(how) for how, _, _ in TABLE} == set(get_args(How))
    for how, message, retryable in TABLE:
        (name,) = (one for one in get_args(How) if one == span(how))
        end = Ended(how=name, status=404 if name == "status" else None)
        assert message == end.message
        assert retryable == ("for 429 and 500 to 599" if name == "status" else "yes" if end.retryable else "no")
