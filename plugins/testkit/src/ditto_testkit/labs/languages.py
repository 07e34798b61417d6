"""What the kit knows of programs: where a command line holds text that they run, or settings that make them run it."""

from __future__ import annotations

import re
from typing import Final

import attrs


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@attrs.frozen
class Language:
    """How a program is given text to run: behind certain letters or words, in a setting, or as an operand.

    ``letters`` and ``words`` are options whose value is run. The first operand is such text if ``first``, unless a
    letter of ``instead`` is given; every operand is from number ``after`` on. ``valued`` are the letters of options
    with another value. ``behind`` says that the text is the next operand (``sh -c -x TEXT``), ``ends`` that what comes
    after the text is for the text (``python -c TEXT -x``).

    ``settings`` and ``setting_words`` are options whose value is a setting, ``KEY=VALUE``: what it holds is run,
    unless the key fits ``harmless``. ``pair`` says that the first two operands are such a setting. Operands
    ``NAME=VALUE`` are run where the name fits ``running``. ``subcommands`` has how to read on behind the first
    operand, which is then a command itself.
    """

    letters: str = ""
    words: frozenset[str] = frozenset()
    valued: str = ""
    first: bool = False
    instead: str = ""
    after: int | None = None
    behind: bool = False
    ends: bool = False
    settings: str = ""
    setting_words: frozenset[str] = frozenset()
    harmless: str = r"(?!)"
    pair: bool = False
    running: str = r"(?!)"
    subcommands: dict[str, Language] = attrs.field(factory=dict)

    def runs_setting(self, setting: str) -> bool:
        """Tell whether a setting may make the program run something; ``ssh`` takes a blank for the ``=`` as well."""
        key = re.split(r"[=\s]", setting, maxsplit=1)[0]
        return not re.fullmatch(self.harmless, key, re.IGNORECASE)

    def runs_variable(self, name: str) -> bool:
        """Tell whether the value of an operand ``NAME=VALUE`` is run."""
        return re.fullmatch(self.running, name) is not None


VARIABLES: Final = (
    r"(LD|DYLD)_\w+|(\w*_)?(PATH|PAGER|EDITOR|BROWSER|SHELL|ASKPASS|PRELOAD|RSH|CMD|COMMAND)|VISUAL|IFS|ENV|BASH_ENV"
    r"|PS[0-4]|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|LESS(OPEN|CLOSE)?|GIT_(SSH|EXTERNAL_DIFF|TEMPLATE_DIR|CONFIG\w*)"
    r"|\w*(OPT|OPTS|OPTIONS|FLAGS)|(PYTHON|RUBY|PERL5?|NODE_|CLASS)(PATH|LIB|STARTUP|HOME|DB)|CC|CXX|PYTHONBREAKPOINT"
)
"""Variables of the environment whose value is run, or says what is: of shells, of the loader, of interpreters."""

_SHELL: Final = Language(letters="c", words=_words("--command --init-command"), valued="oO", behind=True, ends=True)
_AWK: Final = Language(letters="e", words=_words("--source"), valued="fFvEilW", first=True, instead="efE")
_SED: Final = Language(letters="e", words=_words("--expression"), valued="fl", first=True, instead="ef")
_SSH: Final = Language(
    valued="BbcDEeFIiJLlmPpQRSWw",
    settings="o",
    after=1,
    harmless=r"BatchMode|Port|User|ConnectTimeout|ConnectionAttempts|StrictHostKeyChecking|LogLevel|Compression|Ciphers"
    r"|ServerAlive\w+|TCPKeepAlive|AddressFamily|IdentitiesOnly|\w*Authentication\w*|HostKeyAlgorithms|KexAlgorithms",
)
_COPY: Final = attrs.evolve(_SSH, letters="SD", valued="cFiJlPX", after=None)
_MYSQL: Final = Language(letters="e", words=_words("--execute --init-command --pager"), valued="DhPSu")
_GIT_HARMLESS: Final = (
    r"(user|author|committer|color|advice|column|i18n|log|status|rebase|merge|tag|blame|format|diff|grep|versionsort)"
    r"\.(?!.*(external|command|textconv|driver|cmd|tool|hook|helper|program|template|gpg|editor|pager)).+"
    r"|core\.(quotepath|autocrlf|eol|safecrlf|abbrev|filemode|ignorecase|precomposeunicode|preloadindex)"
)
_TRANSPORT: Final = Language(words=_words("--upload-pack --receive-pack --exec"), valued="o")
_GIT: Final = Language(
    settings="c",
    words=_words("--exec-path"),
    valued="C",
    harmless=_GIT_HARMLESS,
    subcommands={
        **dict.fromkeys(("fetch", "pull", "push", "ls-remote", "archive", "fetch-pack", "send-pack"), _TRANSPORT),
        "clone": Language(
            letters="u",
            words=_words("--upload-pack --template"),
            valued="bjo",
            settings="c",
            setting_words=_words("--config"),
            harmless=_GIT_HARMLESS,
        ),
        "config": Language(pair=True, valued="f", harmless=_GIT_HARMLESS),
        "rebase": Language(letters="x", words=_words("--exec"), valued="sX"),
        "difftool": Language(letters="x", words=_words("--extcmd --tool"), valued="t"),
        "mergetool": Language(letters="t", words=_words("--tool")),
        "grep": Language(words=_words("--open-files-in-pager"), valued="efABCm"),
        "bisect": Language(after=1),
        "submodule": Language(after=1),
        "filter-branch": Language(
            words=_words(
                "--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter "
                "--tag-name-filter --setup"
            )
        ),
        "send-email": Language(words=_words("--smtp-server --sendmail-cmd --to-cmd --cc-cmd --header-cmd")),
    },
)

LANGUAGES: Final[dict[str, Language]] = {
    **dict.fromkeys(
        ("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "su", "runuser"), _SHELL
    ),
    **dict.fromkeys(("python", "pypy", "jython"), Language(letters="c", valued="mWXQ", ends=True)),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _AWK),
    **dict.fromkeys(("sed", "gsed"), _SED),
    "perl": Language(letters="eEMm", valued="ICDFx0"),
    "ruby": Language(letters="e", valued="ICEFKrTWx0"),
    **dict.fromkeys(("node", "nodejs", "bun"), Language(letters="ep", words=_words("--eval --print"), valued="rC")),
    "php": Language(letters="rBREd", words=_words("--run --define"), valued="cfStz"),
    **dict.fromkeys(("lua", "luajit"), Language(letters="e", valued="l")),
    **dict.fromkeys(("julia", "elixir", "groovy", "scala", "ghc"), Language(letters="eE", words=_words("--eval"))),
    **dict.fromkeys(("r", "rscript"), Language(letters="e")),
    "osascript": Language(letters="e", valued="ls"),
    "tclsh": Language(),
    "expect": Language(letters="c"),
    **dict.fromkeys(("pwsh", "powershell"), Language(words=_words("-command -c -encodedcommand -e -ec"))),
    "psql": Language(letters="c", words=_words("--command"), valued="dfFhLoPpRTUv"),
    **dict.fromkeys(("mysql", "mariadb"), _MYSQL),
    "sqlite": Language(words=_words("-cmd"), after=1),
    "env": Language(letters="S", words=_words("--split-string"), valued="uC", running=VARIABLES),
    **dict.fromkeys(("make", "gmake", "nmake"), Language(words=_words("--eval"), valued="CfIjlOoW", running=r".*")),
    "ssh": _SSH,
    **dict.fromkeys(("scp", "sftp"), _COPY),
    "rsync": Language(letters="e", words=_words("--rsh --rsync-path"), valued="fBTM"),
    **dict.fromkeys(
        ("tar", "gtar", "bsdtar"),
        Language(
            letters="IF",
            words=_words(
                "--checkpoint-action --to-command --use-compress-program --use-compress-prog --info-script "
                "--new-volume-script --rsh-command --rmt-command"
            ),
            valued="bCfgHKLNTVX",
        ),
    ),
    "zip": Language(words=_words("-tt --unzip-command"), valued="bntxi"),
    "git": _GIT,
    "hg": Language(words=_words("--config --ssh --remotecmd"), valued="R"),
    "svn": Language(setting_words=_words("--config-option"), words=_words("--diff-cmd --diff3-cmd --editor-cmd")),
    "wget": Language(letters="e", words=_words("--execute --use-askpass"), valued="aBDIiloOPQRtTUwX"),
    "man": Language(letters="PH", words=_words("--pager --html --preprocessor"), valued="CeLlMmprRsS"),
    "sort": Language(words=_words("--compress-program"), valued="kotST"),
    "split": Language(words=_words("--filter"), valued="abClnt"),
    **dict.fromkeys(("rg", "ripgrep"), Language(words=_words("--pre --hostname-bin"), valued="ABCefgjmMrtT")),
    **dict.fromkeys(("fd", "fdfind"), Language(letters="xX", words=_words("--exec --exec-batch"), valued="cdeEjtS")),
    **dict.fromkeys(("bat", "ag", "delta"), Language(words=_words("--pager"))),
    **dict.fromkeys(("vi", "vim", "nvim", "view"), Language(letters="cS", words=_words("--cmd"), valued="iPrstTuUwW")),
    "emacs": Language(words=_words("--eval --execute -eval -execute")),
    "gdb": Language(words=_words("-ex -iex --eval-command --init-eval-command")),
    "lldb": Language(letters="oOk", words=_words("--one-line --one-line-before-file --one-line-on-crash")),
    "openssl": Language(words=_words("-engine -provider")),
    "tcpdump": Language(letters="z", valued="BcCDEFGijmMrsTVwWyZ"),
    "nmap": Language(words=_words("--script"), valued="iopSTeDg"),
    "script": Language(letters="c", words=_words("--command")),
    "ncat": Language(letters="ce", words=_words("--exec --sh-exec --lua-exec"), valued="gGmdiopqswxX"),
    **dict.fromkeys(("nc", "netcat"), Language(letters="ce", valued="gGiopqswxX")),
    "docker": Language(words=_words("--entrypoint"), valued="H"),
    "podman": Language(words=_words("--entrypoint")),
    **dict.fromkeys(("watch", "parallel"), Language(after=0, valued="nqj")),
}
"""By the name of a program, without path and version."""

RUNNERS: Final = {
    "env": ("uCS", 0),
    "xargs": ("aEdILnPs", 0),
    "nice": ("n", 0),
    "ionice": ("cnpPu", 0),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "stdbuf": ("ioe", 0),
    "time": ("fo", 0),
    "timeout": ("ks", 1),
    "chroot": ("", 1),
    "sudo": ("CDghpRrtTUu", 0),
    "doas": ("Cu", 0),
    "busybox": ("", 0),
    "taskset": ("", 1),
    "chrt": ("TPD", 1),
    "flock": ("wE", 1),
    "strace": ("abeEIoOpPsSuX", 0),
    "ltrace": ("aAeFlLnopsuwx", 0),
    "unshare": ("RSwG", 0),
    "nsenter": ("tSG", 0),
    "systemd-run": ("pEtMH", 0),
}
"""Programs that run a command: which of their options have a value, and how many operands come before the command."""
