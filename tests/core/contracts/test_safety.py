"""Which error text is accepted: the table of rules tried row by row, and the functions around it."""

from __future__ import annotations

import unicodedata

import attrs
import pytest

from ditto_core import InvalidValue, safe_message
from ditto_core.contracts.safety import MAX_MESSAGE, RULES, is_error_code, unsafe_reason

CREDENTIAL = "holds a credential"
PATH = "holds an absolute path"
FRAME = "holds a stack frame"
CONTROL = "holds a control character"
LONG = "is longer than 512 characters"


@pytest.mark.parametrize(
    "text",
    [
        "disk-full",
        "task-1 failed",
        "risk-free",
        "N/A",
        "and/or",
        "ratio 3/4",
        "1/2 files",
        "HTTP/1.1 404",
        "GET /v1/search failed",
        "Use /help",
        "see https://host/a",
        "see https://h/a",
        "Token budget exhausted",
        "Authorization required",
        "key not found",
        "Retry at 12:30",
        "Invalid password: must have at least 8 characters",
        "Unexpected token '<', \"<!doctype \" is not valid JSON",
        "git@github.com:org/repo.git cannot be cloned",
        "tests/test_x.py::test_y failed",
        "./run.sh failed and ../x is outside the workspace",
        "Schema $ref '#/definitions/a' is unknown",
        "错误:找不到文件",
    ],
)
@pytest.mark.case("SEC-04")
@pytest.mark.promise("D-ERR-05")
def test_harmless_text_is_accepted_and_stays_as_it_is(text: str) -> None:
    assert unsafe_reason(text) is None
    assert safe_message(text, "fallback") is text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Bearer eyJhbGci.x.y", CREDENTIAL),
        ("Bearer abc", CREDENTIAL),
        ("sk-live-123456789012", CREDENTIAL),
        ("password=hunter2", CREDENTIAL),
        ("X-Subscription-Token: k", CREDENTIAL),
        ("Authorization: Basic dXNlcjpwYXNz", CREDENTIAL),
        ("/home/u/a", PATH),
        ("open('/etc/x')", PATH),
        ("path:/etc/passwd", PATH),
        ("path=/etc/x", PATH),
        ("C:\\Users\\u", PATH),
        ("C:/internal/config.json", PATH),
        ("\\\\srv\\s", PATH),
        ("file:///x", PATH),
        ("~/.ssh/id_rsa", PATH),
        ('File "a.py", line 3', FRAME),
        ("at f (a.js:1:2)", FRAME),
        ("at handler.py:3", FRAME),
        ("a\tb", CONTROL),
        ("a\x1b[0m", CONTROL),
        ("a\x85", CONTROL),
        ("a\u2028b", CONTROL),
        ("x" * 513, LONG),
    ],
)
@pytest.mark.case("SEC-05")
@pytest.mark.promise("D-ERR-07")
def test_text_that_gives_something_away_is_refused_and_replaced_as_a_whole(text: str, reason: str) -> None:
    assert unsafe_reason(text) == reason
    assert safe_message(text, "The request failed") == "The request failed"


@pytest.mark.parametrize(
    "prefix",
    [
        *("sk-ant-", "sk-proj-", "sk_test_", "rk_live_", "gsk_", "hf_", "whsec_", "shpat_", "SK-", "AKIA", "ASIA"),
        *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "AIza", "ya29.", "GOCSPX-"),
        *("xoxb-", "xoxp-", "xapp-", "SG.", "hvs.", "dckr_pat_", "dop_v1_", "npm_", "pypi-AgE", "BSA"),
    ],
)
@pytest.mark.promise("ERR-04")
@pytest.mark.case("SEC-05")
def test_the_tokens_of_well_known_services_are_refused_and_their_prefix_alone_is_not(prefix: str) -> None:
    value = "7" * 40
    for text in (prefix + value, f"key '{prefix}{value}' was rejected", f"key={prefix}{value}", f"({prefix}{value})"):
        assert unsafe_reason(text) == CREDENTIAL
    assert unsafe_reason(f"x{prefix}{value}") is None
    if not prefix.startswith(("sk-", "pypi")):
        assert unsafe_reason(f"see {prefix} in the manual") is None


@pytest.mark.parametrize(
    "name",
    [
        *("Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Api-Key", "apikey", "X-Api-Key"),
        *("X-Auth-Token", "X-Auth-Key", "X-Access-Token", "X-Subscription-Token", "Ocp-Apim-Subscription-Key"),
        *("X-Goog-Api-Key", "X-Token", "X-Amz-Security-Token", "X-Vault-Token", "X-CSRF-Token", "Private-Token"),
        *("X-Functions-Key", "X-Client-Secret", "HTTP_X_API_KEY", "HTTP_AUTHORIZATION"),
    ],
)
@pytest.mark.promise("ERR-04", "D-ERR-07")
@pytest.mark.case("SEC-05")
def test_a_credential_header_is_refused_with_its_colon_and_accepted_without(name: str) -> None:
    for text in (
        f"{name}: k",
        f"sent {name.lower()}:k",
        f"({name.upper()} : k)",
        f"{{'{name}': 'k'}}",
        f"“{name}”: k",
    ):
        assert unsafe_reason(text) == CREDENTIAL
    assert unsafe_reason(f"{name} is required") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [(rule.name, text) for rule in RULES for text in rule.refused],
    ids=lambda value: ascii(value)[:60],
)
@pytest.mark.promise("ERR-03", "ERR-04", "ERR-05", "ERR-06")
@pytest.mark.case("SEC-05")
def test_each_refused_example_breaks_the_rule_it_stands_for(name: str, text: str) -> None:
    (rule,) = (rule for rule in RULES if rule.name == name)
    assert unsafe_reason(text) == rule.what
    assert any(rule.pattern.search(reading) for reading in (text, unicodedata.normalize("NFKC", text)))


@pytest.mark.parametrize("text", [text for rule in RULES for text in rule.passed], ids=lambda text: ascii(text)[:60])
@pytest.mark.case("SEC-04")
@pytest.mark.promise("ERR-04", "ERR-05", "ERR-06")
def test_each_passed_example_breaks_no_rule(text: str) -> None:
    assert unsafe_reason(text) is None


def test_rules_have_names_of_their_own_examples_both_ways_and_cannot_change() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.refused and rule.passed and rule.why and "\n" not in rule.why for rule in RULES)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        RULES[0].name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("character", ["x", "é", "\U0001f600", "ﷺ"])
@pytest.mark.promise("ERR-02")
def test_a_message_has_512_code_points_and_not_one_more(character: str) -> None:
    assert MAX_MESSAGE == 512
    assert unsafe_reason(character * 512) is None
    assert unsafe_reason(character * 513) == LONG


@pytest.mark.parametrize("text", ["", " ", "\u00a0", "\u3000 ", "\u200d", "\ufe0f "])
def test_a_message_that_shows_nothing_is_refused(text: str) -> None:
    assert unsafe_reason(text) == "is empty"


@pytest.mark.parametrize(
    "text", [None, 5, b"disk-full", ["disk-full"], ValueError("disk-full"), type("S", (str,), {})("x")]
)
@pytest.mark.promise("D-ERR-09")
def test_what_is_no_string_gives_the_fallback(text: object) -> None:
    assert safe_message(text, "The request failed") == "The request failed"


@pytest.mark.parametrize("fallback", ["", "see /etc/passwd", "a\nb", "x" * 513])
@pytest.mark.promise("D-ERR-09")
def test_an_unsafe_fallback_is_the_developers_mistake_even_when_it_is_not_needed(fallback: str) -> None:
    with pytest.raises(InvalidValue, match=r"^fallback: .*; write a fixed text") as caught:
        safe_message("disk-full", fallback)
    assert "passwd" not in str(caught.value)


@pytest.mark.parametrize("code", ["A", "TOOL_TIMEOUT", "http.404", "a-b", "9", ".", "x" * 64])
@pytest.mark.promise("ERR-01")
def test_good_error_codes(code: str) -> None:
    assert is_error_code(code)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "x" * 65,
        "A\n",
        "x" * 63 + "\n",
        "\nA",
        "a b",
        "a/b",
        "a:b",
        "é",
        "٣",
        "Ａ",
        None,
        5,
        b"A",
        type("S", (str,), {})("A"),
    ],
)
@pytest.mark.promise("ERR-01")
@pytest.mark.case("TOOL-01")
def test_bad_error_codes(code: object) -> None:
    assert not is_error_code(code)
