"""The local executor keeps the contract of an executor."""

from __future__ import annotations

from ditto_local import LocalExecutor
from ditto_testkit import ExecutorContract


class TestLocal(ExecutorContract):
    contract = 1

    def executor(self, timeout: float) -> LocalExecutor:
        return LocalExecutor([self.program], timeout=timeout)
