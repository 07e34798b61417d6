"""A contract that is not whole fails, whatever leaves a check out, and says what to write instead."""

from __future__ import annotations

import pytest

from tests.plugins.testkit.authored import run, source

pytest_plugins = ["pytester"]
CHECK = "test_TP_006_the_output_schema_is_a_json_schema"
MARK = "mark.skip"
SKIP = f"pytest.{MARK}"
FIRST = "test_TP_000_every_check_is_there"


pytestmark = pytest.mark.once


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (source(f"def {CHECK}(self): pass"), f"{CHECK} is overridden"),
        (source(f"{CHECK} = None"), f"{CHECK} is overridden"),
        (source(f"def {FIRST}(self): pass"), f"{FIRST} is overridden"),
        (source(after=f"del TestIt.{CHECK}"), f"{CHECK} is gone or replaced"),
        (source(after=f"TestIt.{CHECK} = None"), f"{CHECK} is gone or replaced"),
        (source(after=f"del TestIt.{FIRST}"), f"{FIRST} is gone or replaced"),
        (source(after=f"TestIt.{FIRST} = lambda self: None"), f"{FIRST} is gone or replaced"),
        (source(after=f"TestIt.{CHECK}.__test__ = False"), f"{CHECK} is gone or replaced"),
        (source("__test__ = False"), "TestIt: __test__ = False leaves out every check"),
        (source(bases="ToolPackContract, abstract=True"), "TestIt: abstract=True leaves out every check"),
        (source("def __init__(self): pass"), "TestIt: pytest leaves out a class with __init__"),
        (source(before="pytestmark = mark.skip"), f"TestIt: {SKIP} on test_TP_000"),
        (source(before="pytestmark = mark.xfail"), "TestIt: pytest.mark.xfail on test_TP_000"),
        (source("pytestmark = [mark.skip(reason='later')]"), f"TestIt: {SKIP} on test_TP_000"),
        (source(after="TestIt = mark.skip(TestIt)"), f"TestIt: {SKIP} on test_TP_000"),
        (source(after=f"mark.skip(TestIt.{CHECK})"), f"TestIt: {SKIP} on {CHECK}"),
        (source("def pytest_generate_tests(self, metafunc): pass"), "pytest_generate_tests is overridden"),
    ],
)
def test_a_check_that_is_left_out_is_a_failure(pytester: pytest.Pytester, given: str, told: str) -> None:
    found = run(pytester, given, "-k", "TP_00")
    assert found.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert told in found.stdout.str()


def test_a_base_class_of_an_author_is_no_contract_yet(pytester: pytest.Pytester) -> None:
    base = """
class Base(ToolPackContract, abstract=True):
    capabilities = Capabilities(max_result_bytes=70_000)

    def note(self):
        return "a helper of the author"
"""
    found = run(pytester, source(before=base, bases="Base"), "-k", "TP_00")
    assert found.ret == 0, found.stdout.str()


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("contract = 99", "contract = 99: declare the level that the plugin keeps, 1 to 1"),
        ("contract = True", "contract = True: declare the level"),
        ("contract = '1'", "contract = a str: declare the level"),
        ("capabilities = {'max_result_bytes': 5}", "capabilities: must be Capabilities(…), not a dict"),
        ("known_failures = ['TP-005']", "known_failures: must be a mapping from ids to reasons, such as {'TP-001'"),
        ("known_failures = {'TP-999': 'x'}", "known_failures: there is no check 'TP-999'"),
        ("known_failures = {'tp-005': 'x'}", "there is TP-005"),
        ("known_failures = {'OS-001': 'x'}", "there is no check 'OS-001' of a contract like this"),
        ("known_failures = {5: 'x'}", "known_failures: must have ids of checks as keys, not an int"),
        ("known_failures = {'TP-005[peak]': 'x'}", "there is no tool 'peak'; there is peek"),
        ("known_failures = {'TP-001[peek]': 'x'}", "TP-001 is not about a single tool; write 'TP-001'"),
        ("known_failures = {'TP-005': 7}", "'TP-005' needs a reason, in words"),
        ("arguments = [st.none()]", "arguments: must be a mapping by name, not a list"),
        ("arguments = {'peak': st.none()}", "arguments: there is no tool 'peak'; there is peek"),
        ("arguments = {'peek': {'path': 'a'}}", "arguments: must have strategies, such as st.fixed_dictionaries"),
        ("files = {'a': 5}", "files: must have texts or bytes as values, but for 'a' there is an int"),
        ("files = 'a.txt'", "files: must be a mapping by name, not a str"),
        ("def providers(self): return []", "providers: must be a mapping from names to search providers"),
        ("capabilities = Capabilities(not_repeatable={'peak': 'x'})", "not_repeatable: there is no tool 'peak'"),
        ("capabilities = Capabilities(narrower_than_schema={'p': 'x'})", "narrower_than_schema: there is no tool 'p'"),
        ("capabilities = Capabilities(not_repeatable=['peek'])", "Capabilities.not_repeatable: must give a reason"),
        ("capabilities = Capabilities(max_result_bytes=True)", "Capabilities.max_result_bytes: must be a number of"),
        ("known_failure = {'TP-005': 'x'}", "known_failure: a contract has no such field, but known_failures"),
        ("pack = ToolPackContract.pack", "pack: the contract does not define this method"),
    ],
)
def test_what_is_declared_wrongly_names_class_field_and_remedy(
    pytester: pytest.Pytester, body: str, told: str
) -> None:
    found = run(pytester, source(body), "-k", "TP_000 or TP_005 or TP_006")
    assert found.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert told in found.stdout.str()
    assert "TestIt" in found.stdout.str()


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize("error", ["SystemExit(0)", "outcomes.Skipped('no')", "GeneratorExit()"])
@pytest.mark.parametrize("where", ["config", "pack"])
def test_what_would_end_the_run_is_a_failure(pytester: pytest.Pytester, error: str, where: str) -> None:
    found = run(pytester, source(f"def {where}(self): raise {error}"), "-k", "TP_00")
    assert found.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert error.partition("(")[0].split(".")[-1] in found.stdout.str()


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize("error", ["SystemExit(0)", "unittest.SkipTest('no')", "outcomes.Skipped('no')"])
def test_a_plugin_skips_no_check(pytester: pytest.Pytester, error: str) -> None:
    broken = f"""
class Skipping(Pack):
    calls = 0

    def ditto_tools(self):
        Skipping.calls += 1
        if Skipping.calls > 2:
            raise {error}
        return [reading()]
"""
    body = "def pack(self): return Skipping(lambda: [])"
    found = run(pytester, source(body, before=broken), "-k", "TP_002 or TP_005")
    assert found.ret == pytest.ExitCode.TESTS_FAILED
    assert found.parseoutcomes().keys() & {"skipped", "passed"} == set()
