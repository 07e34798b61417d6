"""The schema that callers see and the check that calls meet are one rule."""

from __future__ import annotations

import copy
from itertools import chain, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import UNSET
from tests.support.arguments import oracle
from tests.support.commands import PROGRAMS, TOOLS
from tests.support.near_schema import fitting, neighbours

MOST = 150
"""How many neighbours of a value are tried at the most."""


def _accepts(name: str, value: Any) -> bool:
    try:
        TOOLS[name].validate(copy.deepcopy(value))
    except ValueError:
        return False
    return True


@pytest.mark.promise("CMD-03")
@pytest.mark.case("TOOL-05", "ARG-19")
@pytest.mark.parametrize("name", PROGRAMS)
@given(data=st.data())
def test_schema_and_check_agree_on_a_value_and_its_neighbours(name: str, data: st.DataObject) -> None:
    fits = oracle(TOOLS[name].input_schema)
    middle = data.draw(fitting(TOOLS[name].input_schema))
    for value in islice(chain([middle], neighbours(middle)), MOST):
        assert _accepts(name, value) == fits(value), value


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_defaults_that_the_schema_tells_are_those_that_hold(name: str) -> None:
    properties: Any = TOOLS[name].input_schema["properties"]
    required: Any = TOOLS[name].input_schema.get("required", [])
    least = {"path": "a", "paths": ["a"], "pattern": "a", "fields": "1"}
    arguments = TOOLS[name].validate({key: least[key] for key in required})
    fields = {field.alias: getattr(arguments, field.name) for field in type(arguments).__attrs_attrs__}
    assert properties.keys() == fields.keys()
    for key, value in fields.items():
        if key not in required:
            assert properties[key].get("default", UNSET) == value
