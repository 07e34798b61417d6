"""TP-036 to TP-038: secrets of a pack, and a service that fails, that tells too much, or that never ends."""

from __future__ import annotations

import logging
import pprint
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import unquote_plus

from ditto_core import DittoError, InvalidResult, InvalidValue, ToolCall, ToolContext, to_wire

from ..fakes import ScriptedExecutor, printed
from ..fakes.http import HttpRequest
from ..labs.blocked import Blocked
from ..labs.log_lines import LogLine, log_lines
from ..labs.loop import Ended
from ..labs.pipes import Hung
from ..labs.services import DEADLINE, GRACE, SAID, Met, meet_all, meet_slow_ones
from ..labs.telling import BESIDE_OUTPUT, IN_ERROR, chained_to, told
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail

_WRONG: Final = 10
"""How many wrong arguments are refused, to see what is said of them."""


@check(
    "TP-036",
    title="A secret that the pack was given comes out nowhere",
    fix="keep the key in a field with repr=False, send it in a header and never in a URL, write fixed messages for "
    "failures and raise them outside of the except block, follow no redirects, and silence the loggers of the HTTP "
    "library",
    each_tool=True,
)
def secrets_stay_inside(case: ToolCase, data: Any) -> None:
    """Results are read by models, log lines by many, and whoever is asked elsewhere gets the key that is sent along.

    The contract names ``secrets``. They are looked for in what the plugin and its tools are shown as, in results, in
    exceptions with everything that is chained to them, and in log lines (below INFO only in the pack's own): of calls
    that are refused, that succeed, that fail, and, where the kit plays the service, of calls to one that repeats the
    secret in its answers. There they are looked for in the address of each request too, and in the body of a GET. A
    header is where a key belongs.
    """
    secrets = case.lab.pack.secrets
    if not secrets:
        if case.lab.pack.as_installed:
            case.lab.leave("no secret is known here to be looked for; a contract test with secrets looks at it")
        return
    for where, text in _shown(case):
        _is_free(case, text, where=where)
    for given, ended, logged in _ends(case):
        _tells_nothing(case, ended, logged, call=call_text(case.name, given))
    for met in _met(case):
        facts = {"call": call_text(case.name, met.given), "service": met.reply}
        for request in met.asked:  # before log lines, where a library tells of an address that should have no key
            for where, text in _beside_headers(request):
                _is_free(case, text, where=where, **facts)
        _tells_nothing(case, met.ended, met.logged, **facts)
        for request in met.elsewhere:
            _is_free(
                case, f"{request.target} {request.headers} {request.body!r}", where="a request elsewhere", **facts
            )


def _beside_headers(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Give where a key has no place in a request: servers and proxies keep addresses, and a GET has no body."""
    yield "the address of a request", f"{request.target} {unquote_plus(request.target)}"
    if request.method in ("GET", "HEAD"):
        yield f"the body of a {request.method}", request.body.decode("utf-8", "replace")


def _has_service(case: ToolCase) -> bool:
    return "network" in case.effects and case.lab.pack.make_at is not None


def _met(case: ToolCase) -> list[Met]:
    try:
        return meet_all(case) if _has_service(case) else []
    except Hung as hung:
        raise Blocked("TP-037", str(hung)) from None


def _is_free(case: ToolCase, text: str, **facts: str) -> None:
    for secret in case.lab.pack.secrets:
        if secret in text:
            fail(f"{case.name!r} shows a secret of its pack", **facts, told=text.replace(secret, "<the secret>"))


def _tells_nothing(case: ToolCase, ended: Ended, logged: Iterable[LogLine], **facts: str) -> None:
    for where, text in chained_to(ended.error):
        _is_free(case, text, where=where, **facts)
    if ended.value is not None:
        _is_free(case, repr(to_wire(ended.value)), where="the result", **facts)
    own = {"ditto", type(case.lab.plugin).__module__.partition(".")[0]}
    echo = " ".join([*case.lab.pack.secrets, SAID])
    for line in logged:
        if line.family in own:
            _is_free(case, line.text, where="a log line", **facts)
        elif line.level >= logging.INFO:  # where a library tells what the service has repeated, no author can help it
            _is_free(case, line.text.replace(echo, ""), where="a log line", **facts)


def _shown(case: ToolCase) -> Iterator[tuple[str, str]]:
    """Give what the plugin, the tool and its definition look like."""
    for name, value in (("plugin", case.lab.plugin), ("tool", case.tool)):
        yield f"the repr of the {name}", repr(value)
        yield f"the {name} as text", f"{value}"
        yield f"the {name} in pprint", pprint.pformat(value)
    tool = case.tool
    yield "the definition", repr((tool.description, tool.title, tool.input_schema, tool.output_schema))


def _ends(case: ToolCase) -> Iterator[tuple[Any, Ended, list[LogLine]]]:
    """Give calls with how they ended and what was logged: refused ones, and with an executor that works or fails."""
    failures = (OSError(5, "Input/output error"), printed(exit_code=1)) if "execute" in case.effects else ()
    for given in case.samples:
        for answer in (printed("one\n"), *failures):
            with log_lines() as logged:
                ended = case.call(given, case.sandbox(executor=ScriptedExecutor(answer)))
            yield given, ended, logged
    for given in case.wrong[:_WRONG]:
        with log_lines() as logged:
            ended = case.lab.loop.ended(_refused(case, given))
        yield given, ended, logged


async def _refused(case: ToolCase, given: Any) -> Any:
    call = ToolCall(id="c1", name=case.name, arguments=given)
    return await case.lab.registry.call(call, ToolContext(call_id="c1", sandbox=case.sandbox()))


@check(
    "TP-037",
    title="Whatever a service answers, a call ends well and tells nothing of it but as output",
    fix="catch what the HTTP library raises and look at status, type and shape of the answer; raise ToolFailed with a "
    "fixed message per failure, and give words of the service, if at all, as content or structured content",
    each_tool=True,
)
def services_fail_well(case: ToolCase, data: Any) -> None:
    """A service refuses, redirects, breaks off, and answers with HTML; and what it says repeats what it was told.

    The kit plays the service of a tool that declares ``network``: ``pack_at`` of the contract gives a plugin that asks
    there. Each call has to end as a result or as an exception of Ditto's, and what the service said may not stand in
    the error, in metadata or in references.
    """
    case.may_be_called()
    if "network" not in case.effects or case.capabilities.no_backend:
        return
    if case.lab.pack.make_at is None:
        remedy = "define pack_at(), or say why not: Capabilities(no_backend='…')"
        fail(f"{case.name!r} uses the network, and the contract has no service that the kit could play", remedy=remedy)
    try:
        met = meet_all(case)
    except Hung:
        fail(
            f"{case.name!r} waits for its service in a way that holds up the event loop",
            remedy="use an async client, or let the tool be a plain function, which gets a thread",
        )
    if not met:
        remedy = "let pack_at() use the url; supply arguments with which the tool asks: arguments = {…}"
        fail(f"no call of {case.name!r} reaches the service at the address of pack_at()", remedy=remedy)
    for one in met:
        _ends_well(case, one)


def _ends_well(case: ToolCase, met: Met) -> None:
    error = met.ended.error
    facts: dict[str, object] = {"call": call_text(case.name, met.given), "service": met.reply}
    if isinstance(error, Hung):
        fail(f"a call of {case.name!r} does not end, although its service has", **facts)
    if isinstance(error, InvalidResult | InvalidValue):
        fail(f"{case.name!r} gives no valid result", refused=str(error), **facts)
    if error is not None and not isinstance(error, DittoError):
        fail(f"{case.name!r} raises what no caller can act on", raised=f"{type(error).__name__}: {error}", **facts)
    succeeds = met.ended.value is not None and met.ended.value.status == "success"
    for where, text in told(met.ended, IN_ERROR if succeeds else BESIDE_OUTPUT):
        if SAID in text.casefold():
            fail(f"{case.name!r} tells what its service said", where=where, told=text, **facts)


@check(
    "TP-038",
    title="A call ends by its deadline, however slowly the service answers",
    fix="put one asyncio.timeout around connecting, sending and reading the whole body, or with_timeout around the "
    "tool; the timeouts of HTTP libraries mostly start anew with each byte, or are off",
    each_tool=True,
)
def slow_services_are_given_up(case: ToolCase, data: Any) -> None:
    """A service that never answers takes a turn of the agent, a slot of the runtime, and at last all of them.

    The kit plays services that say nothing, that stop half-way, and that send a byte now and then. The deadline is the
    one that ``pack_at`` was given; the check waits much longer.
    """
    case.may_be_called()
    if not _has_service(case):
        return
    met = _met(case)
    if not met:
        raise Blocked("TP-037", "no call reaches the service")
    for name, ended in meet_slow_ones(case, met[0].given).items():
        if isinstance(ended.error, Hung):
            fail(
                f"a call of {case.name!r} does not end by its deadline",
                call=call_text(case.name, met[0].given),
                service=name,
                waited=f"{GRACE:g} s, with a deadline of {DEADLINE:g} s",
            )
