"""A phone on the Noise of others: is asked by a screen of ours, types the code, and grants bytes."""

import hashlib
import os
import socket

from nearby import ASK, COMMIT, DECISION, DONE, OPEN, PART, READY, REQUEST, REVEAL, TYPED, PATIENCE
from nearby import Code, Link, ask_person, digest, same, text

listening = socket.create_server(("127.0.0.1", 0))
listening.settimeout(PATIENCE)
ask_person(f"port {listening.getsockname()[1]}")
link = Link(listening.accept()[0])
link.answer()

ask = bytes([ASK]) + link.hear(ASK)
assert ask[1] == 1 and ask[36:] == b"Living room", ask
commit = link.hear(COMMIT)
assert commit[0] == 1
code = Code(link.h, ask, 1)
nonce, blind = os.urandom(32), os.urandom(32)
link.say(READY, b"\x01", nonce)
digits = ask_person("digits?")
link.say(TYPED, b"\x01", code.typed(nonce, blind, digits))
reveal = link.hear(REVEAL)
assert same(code.commitment(reveal[1:]), commit[1:]), "another nonce than it committed to"
assert code.digits(reveal[1:], nonce) == digits, "these are not the digits"
link.say(OPEN, b"\x01", blind)

request = link.hear(REQUEST)
assert digest(b"request", request[:32], request[32:]) == ask[3:35]
print("purpose", request[33:].decode())
grant = bytes(range(256)) * 1_000
link.say(DECISION, b"\x01\x00", text("Another phone"), len(grant).to_bytes(4, "big"), hashlib.sha256(grant).digest())
for start in range(0, len(grant), 65_518):
    link.say(PART, grant[start:start + 65_518])
assert link.hear(DONE) == b"\x00"
print("grant", hashlib.sha256(grant).hexdigest(), flush=True)
