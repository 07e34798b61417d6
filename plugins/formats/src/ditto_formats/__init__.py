"""Between Ditto and the tool formats of three APIs: pure functions on JSON, without an SDK and without a connection.

Each of the modules ``openai_chat``, ``openai_responses`` and ``anthropic_messages`` has the same four functions:
``tools`` says what a request offers, ``calls`` what a reply asks for, ``message`` how one call is answered and
``answers`` how all calls of a reply are.
"""

from . import anthropic_messages, openai_chat, openai_responses
from .bad_call import BadCall

__all__ = ["BadCall", "anthropic_messages", "openai_chat", "openai_responses"]
