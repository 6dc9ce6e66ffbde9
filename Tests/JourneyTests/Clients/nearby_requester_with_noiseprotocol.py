"""A screen on the Noise of others: asks a phone of ours, shows the code, and is granted bytes."""

import hashlib
import os
import socket

from nearby import ASK, COMMIT, DECISION, DONE, OPEN, PART, PORT, READY, REQUEST, REVEAL, TYPED, PATIENCE
from nearby import Code, Link, ask_person, digest, same, text

link = Link(socket.create_connection(("127.0.0.1", PORT), timeout=PATIENCE))
link.call()

salt, nonce = os.urandom(32), os.urandom(32)
body = text("a token for the player")
ask = bytes([ASK, 1, 0]) + digest(b"request", salt, body) + text("A radio")
link.say(ASK, ask[1:])
code = Code(link.h, ask, 1)
link.say(COMMIT, b"\x01", code.commitment(nonce))

ready = link.hear(READY)
assert ready[0] == 1 and len(ready) == 33
ask_person("code " + code.digits(nonce, ready[1:]))
typed = link.hear(TYPED)
link.say(REVEAL, b"\x01", nonce)
opened = link.hear(OPEN)
digits = code.digits(nonce, ready[1:])
assert same(code.typed(ready[1:], opened[1:], digits), typed[1:]), "this is not the phone with the digits"

link.say(REQUEST, salt, body)
decision = link.hear(DECISION)
assert decision[0] == 1 and decision[1] == 0
name = decision[3:3 + decision[2]].decode()
total = int.from_bytes(decision[3 + decision[2]:-32], "big")
grant = b""
while len(grant) < total:
    grant += link.hear(PART)
assert hashlib.sha256(grant).digest() == decision[-32:]
link.say(DONE, b"\x00")
print("name", name)
print("grant", hashlib.sha256(grant).hexdigest(), flush=True)
