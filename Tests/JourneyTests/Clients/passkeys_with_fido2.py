"""Random registrations and assertions made by python-fido2 for our verifier, and ours verified by python-fido2."""

import base64
import json
import os
import random

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialCreationOptions,
    PublicKeyCredentialRequestOptions,
    PublicKeyCredentialRpEntity,
)
import hashlib

COUNT = int(os.environ["JOURNEY_COUNT"])
PARTY, ORIGIN = "example.org", "https://login.example.org"
FLAG = AuthenticatorData.FLAG
chance = random.Random(3)
server = Fido2Server(PublicKeyCredentialRpEntity(id=PARTY, name="Example"), verify_origin=lambda origin: origin == ORIGIN)
rsa_keys = [rsa.generate_private_key(65537, bits) for bits in (2048, 3072, 4096)]


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def ask(*words):
    print(" ".join(words), flush=True)
    return input()


def signature(key, message):
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(message, padding.PKCS1v15(), hashes.SHA256())
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return key.sign(message)
    return key.sign(message, ec.ECDSA(hashes.SHA256()))


def credential_json(name, response):
    return json.dumps({
        "id": b64(name), "rawId": b64(name), "type": "public-key", "authenticatorAttachment": "platform",
        "clientExtensionResults": {"credProps": {"rk": True}}, "response": response,
    })


def flipped(data):
    place = chance.randrange(len(data) * 8)
    changed = bytearray(data)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


class Authenticator:
    def __init__(self):
        kind = chance.random()
        if kind < 0.2:
            self.key, algorithm = chance.choice(rsa_keys), -257
        elif kind < 0.4:
            self.key, algorithm = ed25519.Ed25519PrivateKey.generate(), -8
        else:
            self.key, algorithm = ec.generate_private_key(ec.SECP256R1()), -7
        self.cose = CoseKey.for_alg(algorithm).from_cryptography_key(self.key.public_key())
        self.name = chance.randbytes(chance.choice([1, 16, 32, 64, 255, 1023]))
        self.counter = chance.choice([0, 1, 77, 2**32 - 9])
        self.flags = FLAG.UP | FLAG.UV | chance.choice([FLAG(0), FLAG.BE, FLAG.BE | FLAG.BS])
        self.digest = hashlib.sha256(PARTY.encode()).digest()

    def register(self, challenge):
        client = CollectedClientData.create("webauthn.create", challenge, ORIGIN)
        credential = AttestedCredentialData.create(chance.randbytes(16), self.name, self.cose)
        flags, extensions = self.flags | FLAG.AT, None
        if chance.random() < 0.3:
            flags, extensions = flags | FLAG.ED, {"credProtect": 2, "hmac-secret": True}
        data = AuthenticatorData.create(self.digest, flags, self.counter, credential, extensions)
        if chance.random() < 0.5:
            return client, AttestationObject.create("none", data, {})
        signed = signature(self.key, data + client.hash)
        return client, AttestationObject.create("packed", data, {"alg": self.cose[3], "sig": signed})

    def sign(self, challenge, origin=ORIGIN):
        self.counter += 1 if self.counter else 0
        client = CollectedClientData.create("webauthn.get", challenge, origin)
        data = AuthenticatorData.create(self.digest, self.flags, self.counter)
        return client, data, signature(self.key, data + client.hash)


def registration(name, client, attested):
    return credential_json(name, {"clientDataJSON": b64(client), "attestationObject": b64(attested)})


def assertion(name, client, data, signed):
    return credential_json(name, {
        "clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signed), "userHandle": "YWRh",
    })


refused = 0
for number in range(COUNT):
    made = Authenticator()
    challenge = chance.randbytes(32)
    client, attested = made.register(challenge)
    form = "selfSigned" if attested.fmt == "packed" else "none"
    answer = ask("register", b64(challenge), registration(made.name, client, attested))
    assert answer == f"registered {made.cose[3]} {form} {made.counter}", (number, answer)
    for _ in range(3):
        # Without attestation nothing but challenge, origin and the like binds the message.
        if attested.fmt == "packed":
            changed = ask("try", b64(challenge), registration(made.name, flipped(client), attested))
        else:
            changed = ask("try", b64(flipped(challenge)), registration(made.name, client, attested))
        assert changed.startswith("refused"), (number, changed)
        refused += 1

    for _ in range(2):
        challenge = chance.randbytes(32)
        client, data, signed = made.sign(challenge)
        for place in range(3):
            parts = [client, data, signed]
            parts[place] = flipped(parts[place])
            answer = ask("sign", b64(challenge), assertion(made.name, *parts))
            assert answer.startswith("refused"), (number, place, answer)
            refused += 1
        answer = ask("sign", b64(challenge), assertion(made.name, client, data, signed))
        assert answer == f"accepted {made.counter}", (number, answer)
        if made.counter:
            again = ask("sign", b64(challenge), assertion(made.name, client, data, signed))
            # A key that may be synchronised has copies, so its counter proves nothing.
            expected = f"accepted {made.counter}" if made.flags & FLAG.BE else "counter went back"
            assert again == expected, (number, again)
    answer = ask("sign", b64(challenge), assertion(made.name, *made.sign(challenge, "https://evil.test")))
    assert answer == "refused wrongOrigin", answer

# The other way: what we ask is read by python-fido2, and what our software authenticator answers is accepted.
for number in range(COUNT):
    words = ask("create", str(number)).split(" ", 2)
    challenge = base64.urlsafe_b64decode(words[0] + "=")
    options = PublicKeyCredentialCreationOptions.from_dict(json.loads(words[1]))
    assert options.challenge == challenge and [p.alg for p in options.pub_key_cred_params] == [-7, -8, -257], options
    assert options.rp.id == PARTY and options.authenticator_selection.user_verification == "required", options
    state = {"challenge": b64(challenge), "user_verification": "required"}
    data = server.register_complete(state, json.loads(words[2]))
    words = ask("get", str(number)).split(" ", 2)
    options = PublicKeyCredentialRequestOptions.from_dict(json.loads(words[1]))
    state = {"challenge": words[0], "user_verification": "required"}
    assert b64(options.challenge) == words[0] and options.rp_id == PARTY, options
    server.authenticate_complete(state, [data.credential_data], json.loads(words[2]))

print(f"{COUNT} authenticators agree, {refused} changed messages were refused")
