"""How a function that becomes a tool is called: from its arguments class, with or without a context."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_args

import attrs

from ..contracts.json_values import copy_json
from .context import ToolContext
from .shapes.annotations import Unwrapped, unwrapped
from .shapes.constraints import is_custom
from .shapes.shape import Misfit

_Parameter = inspect.Parameter
_VARIADIC = {_Parameter.VAR_POSITIONAL: "*", _Parameter.VAR_KEYWORD: "**"}
