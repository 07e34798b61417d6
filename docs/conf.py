"""How the documentation is built: ``nox -s docs``. A build reaches no network."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from docutils.nodes import Element, TextElement
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer

CORE = Path(__file__).parents[1] / "core/pyproject.toml"

project = "Ditto"
author = project_copyright = "The Ditto contributors"
release = tomllib.loads(CORE.read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
# The examples are shown by the pages that include them and are no pages themselves.
exclude_patterns = ["_build", "examples"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

default_role = "literal"  # docstrings write an argument as `name`
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_display_short_literal_types = True
maximum_signature_line_length = 100

nitpicky = True
nitpick_ignore = [
    # The classes of what `tool_handler` and `mcp_handler` return. They are Handlers, and that is all that is promised.
    ("py:class", "ditto_core.worker.handlers.ToolHandler"),
    ("py:class", "ditto_core.worker.handlers.McpHandler"),
    # The arguments of web_search, which its callers give as JSON.
    ("py:class", "ditto_core.web_search.arguments.Asked"),
    # What the kit's checks hand among themselves: its author writes them, its user never meets them.
    ("py:class", "ditto_testkit.checks.model.Violation"),
    ("py:class", "ditto_testkit.labs.executors.ExecutorLab"),
    ("py:class", "ditto_testkit.labs.packs.PackLab"),
    ("py:class", "ditto_testkit.labs.providers.ProviderLab"),
    ("py:class", "ditto_testkit.labs.sinks.SinkLab"),
    ("py:class", "ditto_testkit.subjects.Subject"),
    # Classes of the MCP SDK, which is not imported to write a signature; and what the text beside it spells out.
    ("py:class", "MCPServer"),
    ("py:class", "Server"),
    ("py:class", "Allow"),
]
nitpick_ignore_regex = [
    # Python and other libraries are documented elsewhere.
    ("py:.*", r"(asyncio|attrs|collections|contextlib|httpx2?|hypothesis|os|pathlib|redis|types|typing)\..*"),
    # Type variables are documented nowhere.
    ("py:class", r"(ditto_core\..*\.)?(A|C|R|S|In|Out)"),
]

html_theme = "furo"
html_title = f"Ditto {release}"
html_show_sourcelink = False

# JSON and content are recursive types. At run time they are marked types instead, which no reader wants to see.
ALIASES = {
    "Annotated[object, 'any JSON value']": "JsonValue",
    "Annotated[dict, 'a JSON object']": "JsonObject",
    "Annotated[object, 'text, parts or any JSON value']": "MessageContent",
}


def tidy_signature(  # noqa: PLR0917 - the arguments are those of the event
    app: Sphinx, what: str, name: str, obj: Any, options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Show types by their public names, and one signature where type checkers are told of several."""
    if what in {"function", "method", "decorator"}:
        analyzer = ModuleAnalyzer.for_module(obj.__module__)
        analyzer.analyze()
        analyzer.overloads.clear()
    for written, alias in ALIASES.items():
        signature = signature and signature.replace(written, alias)
        returned = returned and returned.replace(written, alias)
    # The bounds of an option stand in its description.
    return signature and re.sub(r"Annotated\[(\w+), [^]]*]", r"\1", signature), returned


def find_in_core(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: TextElement) -> Element | None:
    """Resolve what the docstrings of other distributions call by the name under which they import it."""
    if node.get("refdomain") != "py" or "." in node["reftarget"]:
        return None
    core_name = f"ditto_core.{node['reftarget']}"
    return env.domains["py"].resolve_xref(env, node["refdoc"], app.builder, node["reftype"], core_name, node, text)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect what this file defines."""
    app.connect("autodoc-process-signature", tidy_signature)
    app.connect("missing-reference", find_in_core)
    return {"parallel_read_safe": True}
