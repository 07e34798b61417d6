"""The example pack keeps the contract of a tool pack."""

from __future__ import annotations

from acme_pack import AcmePack
from ditto_testkit import ToolPackContract


class TestAcme(ToolPackContract):
    contract = 1

    def pack(self) -> AcmePack:
        return AcmePack()
