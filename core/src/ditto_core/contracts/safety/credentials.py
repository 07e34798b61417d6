"""Error text that holds a credential: how passwords, keys and tokens look."""

from __future__ import annotations

import re

from .rule import EDGE, Pattern, Rule

_WHAT = "holds a credential"

# Between a scheme and what follows it.
_IS = r"(?:\s*+[:=]\s*+|\s++|%20)[\"'“]?"
# A bearer token may look like any word, so these are the only words that may follow.
_BEARER_PROSE = (
    r"(?:tokens?|jwts?|auth|authentication|authori[sz]ation|credentials?|headers?|schemes?|keys?|values?|prefix|format"
    r"|realm|error|redacted|required|missing|invalid|rejected|expired|failed|is|was|are|not|and|or|of|in|for|with|must"
    r"|may|can|cannot|has|to|on|from|the)(?:-based)?(?![A-Za-z0-9_~+/=-]|\.\w)"
)
# No plain word, and: the colon of "user:password", which Base64 shows in one of three places of a group of four;
# or padding; or a long run with a digit.
_B64 = r"[A-Za-z0-9+/]"
_BASIC = (
    rf"(?!(?:[A-Za-z]?[a-z]++|[A-Z]++)(?![A-Za-z0-9+/=]))(?:(?:{_B64}{{4}})+?O[g-v]"
    rf"|(?:{_B64}{{4}})*?{_B64}(?:[DTjz][o-r]|{_B64}[AEIMQUYcgkosw048]6)"
    rf"|{_B64}{{3,}}=|(?=[A-Za-z+/]{{0,64}}[0-9]){_B64}{{16,}})"
)
_NAMED = (
    r"(?:passw(?:or)?d|passphrase|passcode|pwd|secret|token|credentials?|authorization|(?:api|access|account|private"
    r"|secret|signing|encryption)[_-]?key|access[_-]?key[_-]?id|sess(?:ion)?id)"
)
# A value that is none: masked, absent, or a placeholder.
_HARMLESS = (
    r"(?!(?:\*{3,}+|[<\[(]?(?:redacted|hidden|masked|none|null|nil|undefined|true|false)[>\])]?+|<[a-z _-]{1,40}>)"
    r"(?![^\s\"',;&)\]}.]))"
)
_HEADERS = (
    r"(?:(?:proxy-)?authorization|(?:set-)?cookie|api-?key|ocp-apim-subscription-key|(?:private|job|deploy)-token"
    r"|x[_-](?:[a-z0-9]{1,20}[_-]){0,4}(?:token|secret|password|auth|authorization|(?:api|auth|access|account|subscription"
    r"|functions)[_-]?key))"
)
_SHAPES = (
    r"sk-(?!SK\b|learn\b|ssh-|ecdsa-)[A-Za-z0-9]|SK-[A-Za-z0-9_-]{16}|gsk_[A-Za-z0-9]{16}|hf_[A-Za-z0-9]{16}"  # models
    r"|gh[pousr]_[A-Za-z0-9]|github_pat_\w|gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9]"  # code hosts
    r"|AKIA[A-Z0-9]{4}|ASIA[A-Z0-9]{12}|AIza[\w-]{8}|ya29\.\w|GOCSPX-\w"  # clouds
    r"|[sr]k_(?:live|test)_\w|whsec_\w|shp(?:at|ca|pa|ss)_\w"  # payments, shops
    r"|xox[abeoprs]-[A-Za-z0-9]|xapp-[0-9]|SG\.[\w-]{16}|hvs\.\w{8}|dckr_pat_\w|dop_v1_\w"  # chat, mail, vaults
    r"|npm_[A-Za-z0-9]{30}|pypi-AgE|BSA[\w-]{20}|AGE-SECRET-KEY-1"  # registries, web search, age
    r"|eyJ[\w-]{2,}+\.[\w-]++\.[\w-]"  # JSON Web Token
)

CREDENTIALS: tuple[Rule, ...] = (
    Rule(
        name="bearer",
        what=_WHAT,
        why="`Bearer` and a value; the words that usually follow in prose pass",
        pattern=Pattern(rf"{EDGE}bearer{_IS}(?!{_BEARER_PROSE})[A-Za-z0-9_~+/]", re.IGNORECASE),
        refused=(
            "Bearer abc",
            "sent bearer eyJhbGci.x.y",
            'BEARER "k1"',
            "Bearer  token123",
            "bearer=abc",
            "Bearer%20abc",
        ),
        passed=("Bearer token missing.", "bearer authentication required", "Bearer *** was rejected", "no Bearer"),
    ),
    Rule(
        name="basic",
        what=_WHAT,
        why="`Basic` and the Base64 of `user:password`, or what else can only be Base64",
        pattern=Pattern(rf"{EDGE}(?i:basic){_IS}{_BASIC}"),
        refused=("Basic dXNlcjpwYXNz", "basic YTpi", "Basic Zm9vOmJhcg==", "Basic OnNlY3JldA==", "BASIC QWxhZGRpbg=="),
        passed=(
            "Basic authentication failed",
            "basic HTTP/1.1 client",
            "Basic OAuth2 flow",
            "Basic OpenAPI client",
            "Basic plan",
        ),
    ),
    Rule(
        name="header",
        what=_WHAT,
        why="the name of a header that carries credentials, followed by `:`",
        pattern=Pattern(rf"(?<![A-Za-z0-9-]){_HEADERS}[\"'”]?\s*+:", re.IGNORECASE),
        refused=(
            "Authorization: Basic x",
            "proxy-authorization: x",
            "X-Api-Key: k",
            "X-Subscription-Token: k",
            "apikey: k",
            "X-Auth-Token: k",
            "Cookie: a=b",
            "set-cookie: a=b",
            "{'x-goog-api-key': 'k'}",
            "PRIVATE-TOKEN: k",
            "HTTP_X_API_KEY: k",
        ),
        passed=("Authorization required", "Content-Type: text/html", "X-Request-Id: 7", "pre-authorization: pending"),
    ),
    Rule(
        name="assignment",
        what=_WHAT,
        why="the name of a secret, `=` and a value; a value that is masked or says there is none passes",
        pattern=Pattern(
            rf"(?:{_NAMED}[\"']?\s*+=(?!=)>?+|[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential))=)"
            rf"\s*+[\"'“]?{_HARMLESS}[^\s\"'“”,;&)\]}}]",
            re.IGNORECASE,
        ),
        refused=(
            "password=hunter2",
            "DB_PASSWORD = 'x'",
            "passwd=x",
            "pwd=x",
            "secret=x",
            "client_secret=x",
            "token=x",
            "https://host/a?access_token=x",
            "api_key=x",
            "apikey=x",
            "OPENAI_API_KEY=x",
            "AccountKey=x",
            "PHPSESSID=x",
            "'password' => 'x'",
            "https://host/b?sv=1&sig=x",
            "https://host/c?X-Amz-Signature=x",
        ),
        passed=(
            "max_tokens=5",
            "password=***",
            "token=None",
            "password=''",
            "token=<your token>",
            "key=name",
            "pass=3",
        ),
    ),
    Rule(
        name="label",
        what=_WHAT,
        why="the name of a secret, `:` (or `--` before it), and a value that is quoted or has a digit in it",
        pattern=Pattern(
            rf"(?:(?<!unexpected ){_NAMED}[\"']?\s*+:\s*+|--(?:[a-z]{{1,20}}-){{0,3}}{_NAMED}\s++)"
            rf"(?:[\"'“]{_HARMLESS}[^\s\"'”]|(?=[^\s\"'0-9]{{0,64}}[0-9])[^\s\"'”]{{4}})",
            re.IGNORECASE,
        ),
        refused=(
            '{"password": "swordfish"}',
            "password: hunter2",
            "api_key: 8f7e6d5c",
            "--db-password hunter2",
            "token:a1b2",
        ),
        passed=("password: must be a string", "Unexpected token: '}'", '{"token": null}', "--token needs a value"),
    ),
    Rule(
        name="token",
        what=_WHAT,
        why="the shape of a well-known service's key or token, or of a JSON Web Token",
        pattern=Pattern(rf"{EDGE}(?:{_SHAPES})"),
        refused=(
            "sk-live-123456789012",
            "sk-abc",
            "key 'sk_live_x'",
            "ghp_x1",
            "gho_x1",
            "github_pat_x",
            "glpat-x",
            "AKIA12345678",
            "xoxb-1",
            "xoxp-1",
            "AIzaSyA-12345",
            "ya29.a0",
            "eyJhbGci.eyJzdWIi.c2ln",
            "hf_abcdefghijklmnop",
        ),
        passed=(
            "disk-full",
            "task-1 failed",
            "risk-free",
            "locale sk-SK",
            "SK-1234 not found",
            "sk-ssh-ed25519",
            "sk-ecdsa-sha2",
            "sk-learn",
            "ASIA region",
        ),
    ),
    Rule(
        name="private-key",
        what=_WHAT,
        why="the first line of a private key in PEM",
        pattern=Pattern(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY", re.IGNORECASE),
        refused=(
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        ),
        passed=("-----BEGIN CERTIFICATE-----", "private key not found"),
    ),
    Rule(
        name="url-password",
        what=_WHAT,
        why="a URL with `user:password@`, or with a long user that has a digit in it; a masked password passes",
        pattern=Pattern(r"://(?:[^\s/:@]*+:(?!(?:\*+|xxxxx)@)[^\s/@]++|(?=[^\s/:@0-9]{0,64}[0-9])[^\s/:@]{16,}+)@"),
        refused=(
            "https://user:pw@host/a",
            "https://0123456789abcdef@host/a",
            "redis://:pw@host",
            "see postgres://u:p%40w@db:5432/x",
        ),
        passed=("ssh://git@host/repo", "postgresql://user:***@host/db", "http://host:8080/a@b", "python:3.13@sha256"),
    ),
)
"""The rules about credentials, in the order in which they are tried."""
