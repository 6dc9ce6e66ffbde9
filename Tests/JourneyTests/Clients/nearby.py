"""The nearby link as Documentation/NearbyProtocol.md tells it, on the Noise of others (noiseprotocol)."""

import hashlib
import hmac
import os
import socket
import struct

from noise.connection import Keypair, NoiseConnection

APP = os.environ["JOURNEY_NEARBY_APP"].encode()
PORT = int(os.environ.get("JOURNEY_NEARBY_PORT", "0"))
HELLO = b"CSNB" + bytes([1, 1, 1])
PROLOGUE = b"Countersign nearby\0" + HELLO + bytes([len(APP)]) + APP
PATIENCE = 120

ASK, COMMIT, WAIT, READY, TYPED, REVEAL, OPEN, MISSED, TRUSTED, REQUEST, DECISION, PART, DONE, ALIVE, END = range(1, 16)


def digest(purpose, *parts):
    return hashlib.sha256(b"Countersign nearby 1 " + purpose + b"\0" + b"".join(parts)).digest()


def text(words):
    words = words.encode()
    return bytes([len(words)]) + words


def ask_person(line):
    """Says a line to whoever watches this program, and returns the answer."""
    print(line, flush=True)
    return input()


class Link:
    """Frames, and after the handshake messages."""

    def __init__(self, connection):
        self.socket = connection
        self.socket.settimeout(PATIENCE)
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_SHA256")
        self.noise.set_prologue(PROLOGUE)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, os.urandom(32))

    def send_frame(self, frame):
        self.socket.sendall(struct.pack(">H", len(frame)) + bytes(frame))

    def receive_frame(self):
        (length,) = struct.unpack(">H", self._exactly(2))
        return self._exactly(length)

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the other end has closed"
            data += piece
        return data

    def call(self):
        """The handshake of a requester."""
        self.noise.set_as_initiator()
        self.noise.start_handshake()
        self.send_frame(HELLO + self.noise.write_message(os.urandom(64)))
        answer = self.receive_frame()
        assert len(answer) == 99 and answer[0] == 1, answer
        assert self.noise.read_message(answer[1:]) == b"\x01\x01"
        self.send_frame(self.noise.write_message())
        self.h = self.noise.get_handshake_hash()

    def answer(self):
        """The handshake of an approver."""
        self.noise.set_as_responder()
        self.noise.start_handshake()
        first = self.receive_frame()
        assert len(first) == 103 and first.startswith(HELLO), first
        assert len(self.noise.read_message(first[len(HELLO):])) == 64
        self.send_frame(b"\x01" + self.noise.write_message(b"\x01\x01"))
        third = self.receive_frame()
        assert len(third) == 64 and self.noise.read_message(third) == b""
        self.h = self.noise.get_handshake_hash()

    def say(self, kind, *fields):
        self.send_frame(self.noise.encrypt(bytes([kind]) + b"".join(fields)))

    def hear(self, kind):
        """The fields of the next message, which must be of a kind; signs of life do not count."""
        while True:
            message = self.noise.decrypt(self.receive_frame())
            if message[0] != ALIVE:
                break
        assert message[0] == kind, f"{message[0]} came in place of {kind}: {message.hex()}"
        return message[1:]


class Code:
    """The values of one run."""

    def __init__(self, h, ask, run):
        self.known = h + hashlib.sha256(ask).digest() + bytes([run])

    def commitment(self, requester):
        return digest(b"commit", self.known, requester)

    def digits(self, requester, approver):
        number = int.from_bytes(digest(b"code", self.known, requester, approver)[:8], "big")
        return f"{number % 1_000_000:06}"

    def typed(self, approver, blind, digits):
        return digest(b"typed", self.known, approver, blind, digits.encode())


same = hmac.compare_digest
