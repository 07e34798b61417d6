"""Which error text is accepted: the edges of single rules, tried one by one."""

from __future__ import annotations

import pytest

from ditto_core.contracts.safety import unsafe_reason

CREDENTIAL, PATH, FRAME = "holds a credential", "holds an absolute path", "holds a stack frame"


@pytest.mark.parametrize("opening", ["", *" \u00a0\u3000\"'`“”„‘’«‹([{<「『【《〈=:,;|"])
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-05")
def test_a_path_begins_after_an_opening(opening: str) -> None:
    before = "at" if opening else ""
    assert unsafe_reason(f"{before}{opening}/data/x") == PATH
    assert unsafe_reason(f"{before}{opening}/srv") == PATH
    assert unsafe_reason(f"{before}{opening}~/x") == PATH
    assert unsafe_reason(f"{before}{opening}/data") is None


@pytest.mark.parametrize("other", [*"x9é_)]}>.-#%?&*@+!~$"])
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-04")
def test_a_slash_after_anything_else_divides_words(other: str) -> None:
    assert unsafe_reason(f"x{other}/data/x") is None


@pytest.mark.parametrize("other", [*"x9é_)]}.-#%&*~$"])
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-04")
def test_a_known_root_after_a_piece_of_a_longer_path_or_url_is_part_of_it(other: str) -> None:
    assert unsafe_reason(f"x{other}/home/x") is None


@pytest.mark.parametrize("method", ["GET", "PUT", "HEAD", "POST", "PATCH", "TRACE", "DELETE", "CONNECT", "OPTIONS"])
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-04")
def test_directly_after_an_http_method_only_a_known_root_is_a_path_of_the_host(method: str) -> None:
    assert unsafe_reason(f"{method} /v1/search failed") is None
    assert unsafe_reason(f"'{method} /v1/search' failed") is None
    assert unsafe_reason(f"{method} /home/u/a failed") == PATH
    assert unsafe_reason(f"{method} of /v1/search failed") == PATH
    assert unsafe_reason(f"{method.lower()} /v1/search failed") == PATH
    assert unsafe_reason(f"X{method} /v1/search failed") == PATH


@pytest.mark.parametrize(
    "root",
    [
        *("home", "etc", "var", "usr", "tmp", "root", "srv", "opt", "proc"),
        *("mnt", "sbin", "boot", "Users", "Volumes"),
    ],
)
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-05")
def test_a_known_root_counts_alone(root: str) -> None:
    for text in (f"/{root}", f"read /{root}.", f"/{root}/", f"GET /{root}", f"无法读取/{root}/x", f"///{root}"):
        assert unsafe_reason(text) == PATH
    for text in (f"/{root}s", f"/{root}-page", f"/{root}.html", f"https://{root}", f"https://host/{root}/x", root):
        assert unsafe_reason(text) is None


# The colon of user:password falls on each of the three places that a group of Base64 has for it; no padding.
@pytest.mark.parametrize("value", ["YTpiY2Rl", "YWI6Y2Rl", "YWJjOmRl", "YWJj" * 4 + "0000", "YWJjZGVm="])
@pytest.mark.promise("ERR-04", "D-ERR-07")
@pytest.mark.case("SEC-05")
def test_basic_credentials_of_any_alignment_are_refused(value: str) -> None:
    for text in (f"Basic {value}", f"basic {value}", f"'Basic {value}'", f"Basic: {value}", f"Basic%20{value}"):
        assert unsafe_reason(text) == CREDENTIAL


@pytest.mark.parametrize(
    "word", ["trapezoid", "AuthenticationHandler", "OpenAPI", "OAuth2", "IPv4/IPv6", "HTTP/1.1", "A/B"]
)
@pytest.mark.promise("ERR-04")
@pytest.mark.case("SEC-04")
def test_words_after_basic_are_no_credentials(word: str) -> None:
    assert unsafe_reason(f"Basic {word} failed") is None


@pytest.mark.parametrize(
    "value", ["***", "********", "<redacted>", "[REDACTED]", "redacted", "None", "null", "<your key>"]
)
@pytest.mark.promise("ERR-04")
@pytest.mark.case("SEC-04")
def test_a_masked_or_absent_value_is_no_credential(value: str) -> None:
    for text in (f"password={value}", f"token = '{value}', retry", f"'secret' => {value}", f'{{"token": "{value}"}}'):
        assert unsafe_reason(text) is None
    assert unsafe_reason(f"password={value}7") == CREDENTIAL


@pytest.mark.parametrize(
    "text", ["password == confirmation", "token != other", "password=", "secret: not found", "Missing token: log in"]
)
@pytest.mark.promise("ERR-04")
@pytest.mark.case("SEC-04")
def test_the_name_of_a_secret_alone_is_no_credential(text: str) -> None:
    assert unsafe_reason(text) is None


@pytest.mark.parametrize(
    "name",
    [
        *("password", "passwd", "passphrase", "passcode", "pwd", "PGPASSWORD", "secret", "client_secret", "token"),
        *(
            "access_token",
            "refreshToken",
            "credential",
            "credentials",
            "authorization",
            "api_key",
            "api-key",
            "apikey",
        ),
        *("access_key", "AccountKey", "SharedAccessKey", "private_key", "secret_key", "signing_key", "encryption_key"),
        *("aws_access_key_id", "sessionid", "JSESSIONID", "PHPSESSID"),
    ],
)
@pytest.mark.promise("ERR-04", "D-ERR-07")
@pytest.mark.case("SEC-05")
def test_the_name_of_a_secret_with_a_value_is_a_credential(name: str) -> None:
    for text in (f"{name}=x", f"({name.upper()} = 'x')", f"https://host/a?b=c&{name}=x", f'{{"{name}": "x"}}'):
        assert unsafe_reason(text) == CREDENTIAL
    assert unsafe_reason(f"{name} is required") is None


@pytest.mark.parametrize(
    "extension",
    [
        *("py", "pyx", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "java", "kt", "scala"),
        *("rb", "php", "go", "rs", "cs", "c", "cc", "cpp", "swift", "lua"),
    ],
)
@pytest.mark.promise("ERR-06")
@pytest.mark.case("SEC-05")
def test_a_place_in_a_program_file_is_a_frame_where_a_trace_would_put_it(extension: str) -> None:
    file = f"x.{extension}"
    for text in (
        f"at {file}:3",
        f"At f({file}:3)",
        f"f@{file}:1:2",
        f"{file}:3 in f",
        f"{file}:3, in f",
        f"{file}:3:in f",
    ):
        assert unsafe_reason(text) == FRAME
    for text in (f"{file}:3: syntax error", f"{file}:3:7 is too long", f"see {file}", f"{file}, line 3"):
        assert unsafe_reason(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "at eval (eval at <anonymous> (x.js:1:2), <anonymous>:1:1)",
        "at <anonymous>:1:2",
        "at new Shop (shop:9/x:1:2)",
        "at a.B.c(Native Method)",
        "at a.B.c(Unknown Source)",
        "app.py, line 3, in f",
        "in <lambda>",
        "in <listcomp>",
        "TRACEBACK (most recent call first)",
        "File '<stdin>', line 1",
    ],
)
@pytest.mark.promise("ERR-06")
@pytest.mark.case("SEC-05")
def test_rarer_frames_are_refused(text: str) -> None:
    assert unsafe_reason(text) == FRAME


@pytest.mark.parametrize(
    "text",
    [
        "at noon (1.5:12:30)",
        "at step two (3:4)",
        'error in file "config.toml", line 3',
        "main.cpp(12): error C2065",
        "the traceback was lost",
    ],
)
@pytest.mark.promise("ERR-06")
@pytest.mark.case("SEC-04")
def test_times_and_places_of_mistakes_are_no_frames(text: str) -> None:
    assert unsafe_reason(text) is None


@pytest.mark.parametrize("word", ["token", "credentials", "auth", "scheme", "token-based access", "of good news"])
@pytest.mark.promise("ERR-04")
@pytest.mark.case("SEC-04")
def test_prose_about_bearers_is_no_credential(word: str) -> None:
    for text in (f"Bearer {word}", f"bearer {word}.", f"no bearer {word}, sorry"):
        assert unsafe_reason(text) is None
    assert unsafe_reason(f"Bearer x{word}") == CREDENTIAL
    assert unsafe_reason(f"Bearer {word.split(maxsplit=1)[0]}7") == CREDENTIAL
