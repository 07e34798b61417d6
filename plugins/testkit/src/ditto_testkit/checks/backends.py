"""WS-011 to WS-017: a provider before a backend that lies, dawdles, breaks off or never ends, and its secrets."""

from __future__ import annotations

import copy
import logging
import pprint
import re
from typing import Any

import attrs

from ditto_core import SearchFailed

from ..labs.hostility import DEADLINE, GRACE, QUERY, Met, meet_all, meet_slow_ones
from ..labs.pipes import Hung
from ..labs.providers import ProviderLab
from ..labs.telling import chained_to
from .model import check, fail

_MARK = QUERY.partition(" ")[0]
_PASSING = re.compile(r"status-(?:429|5\d\d)")
_LASTING = re.compile(r"status-(?:4(?!29)\d\d|20\d|299|304)|redirect-|body-|json-|encoding-|bomb-")


def _met(lab: ProviderLab) -> list[Met]:
    return lab.once(meet_all) if lab.has_backend else []


def _error_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


@check(
    "WS-011",
    title="Whatever the backend answers instead of hits ends in SearchFailed",
    fix="check status, headers, length, encoding and shape, and raise SearchFailed for all that is not as it should "
    "be; or declare Capabilities(accepted_replies={…})",
)
def hostile_replies_fail(lab: ProviderLab, data: Any) -> None:
    """Hits out of a broken answer are inventions, and a KeyError tells nobody whether to try again."""
    if not lab.has_backend:
        if not lab.capabilities.no_backend:
            remedy = "define provider_at() and reply(), or say why not: no_backend='…'"
            fail("the contract has no backend that the kit could play", remedy=remedy)
        return
    for met in _met(lab):
        if met.ended.error is None:
            fail("a broken answer is taken for hits", reply=met.reply, hits=met.ended.value)
        if not isinstance(met.ended.error, SearchFailed | Hung):
            fail("a broken answer raises what no caller knows", reply=met.reply, raised=_error_of(met.ended.error))


@check(
    "WS-012",
    title="A failure tells nothing: no key, no query and nothing of what the backend said",
    fix="raise SearchFailed with a fixed text outside of the except block (no cause, no context), and silence the "
    "loggers of the HTTP library",
)
def failures_tell_nothing(lab: ProviderLab, data: Any) -> None:
    """Servers repeat what they were asked, and errors of libraries hold URLs. Both end in logs."""
    secrets = lab.subject.secrets
    for met in _met(lab):
        for where, text in chained_to(met.ended.error):
            for secret in (*secrets, _MARK):
                if secret in text:
                    what = "query" if secret is _MARK else "secret"
                    fail(f"a failure tells the {what}", reply=met.reply, where=where, text=text.replace(secret, "<…>"))
        for line in met.logged:
            if any(secret in line.text for secret in secrets) or (line.level >= logging.INFO and _MARK in line.text):
                level = logging.getLevelName(line.level)
                fail("a log line tells the secret or the query", reply=met.reply, level=level)


@check(
    "WS-013",
    title="A search ends by its deadline, however slowly the backend speaks",
    fix="put one asyncio.timeout around connecting, sending, the headers and the whole body; a timeout for each read "
    "starts anew with each byte",
)
def the_deadline_is_kept(lab: ProviderLab, data: Any) -> None:
    """A byte now and then keeps a read alive for ever. The check waits much longer than the deadline."""
    if not lab.has_backend:
        return
    for name, ended in lab.once(meet_slow_ones).items():
        if ended.error is None:
            fail("an answer that never ends is taken for hits", reply=name, hits=ended.value)
        if isinstance(ended.error, Hung):
            waited = f"{GRACE:g} s, with a deadline of {DEADLINE:g} s"
            fail("a search does not end by its deadline", reply=name, waited=waited)


@check(
    "WS-014",
    title="A large or endless answer is not kept in memory",
    fix="count the bytes while they arrive and stop over a limit; ask for no compression and refuse what comes "
    "compressed, since a small body may unpack to a giant one",
)
def memory_is_bounded(lab: ProviderLab, data: Any) -> None:
    """A size that is looked at once the body is there has been looked at too late."""
    limit = lab.capabilities.max_search_bytes
    for met in _met(lab):
        if met.grown > limit:
            told = f"{limit} bytes (Capabilities.max_search_bytes)"
            fail("a search takes too much memory", reply=met.reply, limit=told, grown=met.grown)


@check(
    "WS-015",
    title="A failure is retryable for 429, 5xx and connections that fail, and for nothing that stays as it is",
    fix="raise SearchFailed(…, retryable=True) for those; leave it out for other statuses and for broken answers",
)
def retryable_is_true(lab: ProviderLab, data: Any) -> None:
    """Who repeats a refused key is locked out; who gives up on a busy server loses an answer."""
    for met in _met(lab):
        if not isinstance(met.ended.error, SearchFailed):
            continue
        is_retryable = met.ended.error.retryable
        if _PASSING.fullmatch(met.reply) and is_retryable is not True:
            fail("a failure that may pass is not retryable", reply=met.reply, retryable=is_retryable)
        if _LASTING.match(met.reply) and is_retryable is not False:
            fail("a failure that stays is retryable", reply=met.reply, retryable=is_retryable)


@check(
    "WS-016",
    title="A search is one request; redirects are not followed",
    fix="switch off retries and redirects of the HTTP library (httpx: follow_redirects=False, transport retries=0)",
)
def one_search_is_one_request(lab: ProviderLab, data: Any) -> None:
    """Repeating is the application's decision, and a redirect carries the key to somebody else."""
    for met in _met(lab):
        if met.elsewhere:
            fail("a redirect is followed", reply=met.reply, connections_elsewhere=met.elsewhere)
        if met.requests > 1:
            fail("a search is more than one request", reply=met.reply, requests=met.requests)


@check(
    "WS-017",
    title="Secrets are in no rendering of the provider",
    fix="wrap the key in a class whose repr hides it, or mark the field with repr=False, and keep it out of asdict "
    "and of the instance's __dict__",
)
def secrets_are_not_shown(lab: ProviderLab, data: Any) -> None:
    """Debuggers, test reports and structured logs render whatever they meet."""
    provider: Any = lab.subject.make()
    ways: dict[str, Any] = {
        "repr": lambda: repr(provider),
        "str": lambda: str(provider),
        "format": lambda: f"{provider}",
        "pprint": lambda: pprint.pformat(provider),
        "repr of a copy": lambda: repr(copy.deepcopy(provider)),
        "attrs.asdict": lambda: repr(attrs.asdict(provider)),
        "vars": lambda: repr(vars(provider)),
    }
    for name, way in ways.items():
        try:
            text = way()
        except Exception:  # noqa: S112 - not everything can be copied, is of attrs or has a __dict__
            continue
        if any(secret in text for secret in lab.subject.secrets):
            fail("the provider shows a secret", way=name)
