"""Thousands of random requests of OAuth 1: signed by oauthlib for our verifier, and verified by oauthlib for our signer."""

import base64
import http.client
import http.server
import os
import random
import sys
import threading
import time
import types
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from oauthlib import oauth1
from oauthlib.common import Request
from oauthlib.oauth1.rfc5849 import signature


class RSAAlgorithm:
    """RSA for oauthlib, which takes it from PyJWT: these three functions of it are all that it needs."""

    def __init__(self, digest):
        self.hash_alg = digest

    def prepare_key(self, pem):
        read = serialization.load_pem_private_key if "PRIVATE" in pem else serialization.load_pem_public_key
        return read(pem.encode(), *([None] if "PRIVATE" in pem else []))

    def sign(self, message, key):
        return key.sign(message, padding.PKCS1v15(), self.hash_alg())

    def verify(self, message, key, made):
        try:
            key.verify(made, message, padding.PKCS1v15(), self.hash_alg())
            return True
        except InvalidSignature:
            return False


algorithms = types.ModuleType("jwt.algorithms")
algorithms.hashes, algorithms.RSAAlgorithm = hashes, RSAAlgorithm
sys.modules["jwt"], sys.modules["jwt.algorithms"] = types.ModuleType("jwt"), algorithms
sys.modules["jwt"].algorithms = algorithms

HOST = os.environ["JOURNEY_HOST"]
COUNT = int(os.environ["JOURNEY_COUNT"])
CLIENT, TOKEN = ("client-key", "client secret &=+%~é"), ("token-key", "token*secret/ü")
KEY = rsa.generate_private_key(65537, 2048)
PRIVATE = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
PUBLIC = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
METHODS = ["HMAC-SHA1", "HMAC-SHA256", "RSA-SHA1", "RSA-SHA256", "PLAINTEXT"]
FORM = "application/x-www-form-urlencoded"
# How the proxy in front of a server tells that it was asked over TLS.
SCHEME = "X-Forwarded-Proto"
chance = random.Random(5849)
ALPHABET = "abcXYZ019-._~ !\"#$%&'()*+,/:;<=>?@[]^`{|}äß€山🦉\n\t"


def words(most):
    return "".join(chance.choice(ALPHABET) for _ in range(chance.randint(0, most)))


def parameters():
    pairs = [(words(5), words(9)) for _ in range(chance.randint(0, 5))]
    # Repeated names, and repeated pairs.
    pairs += chance.choices(pairs, k=2) if pairs and chance.random() < 0.4 else []
    pairs += [(pairs[0][0], words(4))] if pairs and chance.random() < 0.3 else []
    pairs = [pair for pair in pairs if pair[0]]
    return urllib.parse.urlencode(pairs, quote_via=chance.choice([urllib.parse.quote, urllib.parse.quote_plus]))


def path():
    text = "/" + urllib.parse.quote(words(8).replace("\n", ""), safe="/~!$'()*,:;=@")
    # oauthlib drops a semicolon behind which nothing follows: Python's urlparse expects parameters there.
    return text + "x" if text.endswith(";") else text


def client(method, place, has_token, secret=CLIENT[1], timestamp=None):
    return oauth1.Client(
        CLIENT[0], client_secret=secret,
        resource_owner_key=TOKEN[0] if has_token else None,
        resource_owner_secret=TOKEN[1] if has_token else None,
        rsa_key=PRIVATE if method.startswith("RSA") else None,
        signature_method=method, signature_type=place, timestamp=timestamp,
        realm=chance.choice([None, "Photos"]) if place == oauth1.SIGNATURE_TYPE_AUTH_HEADER else None,
    )


def signed_by_oauthlib():
    """Requests that our verifier has to accept once, and the same changed, replayed and too old, which it has to refuse."""
    connection = http.client.HTTPConnection(HOST, timeout=120)

    def send(what, signed, scheme, status, code, added=""):
        uri, headers, body = signed
        target = uri.split(HOST, 1)[1]
        target += ("&" if "?" in target else "?") + added if added else ""
        connection.request(method, target, body=body or None, headers={**headers, SCHEME: scheme})
        answer = connection.getresponse()
        said = answer.read().decode()
        assert answer.status == status and said.startswith(code), (number, what, method, signed, answer.status, said)

    for number in range(COUNT):
        method = chance.choice(["GET", "POST", "PUT", "DELETE"])
        by = METHODS[number % len(METHODS)]
        is_plain = by == "PLAINTEXT"
        query = parameters()
        body = parameters() if method in ("POST", "PUT") else ""
        place = chance.choice([oauth1.SIGNATURE_TYPE_AUTH_HEADER, oauth1.SIGNATURE_TYPE_QUERY])
        if method in ("POST", "PUT"):
            place = chance.choice([place, oauth1.SIGNATURE_TYPE_BODY])
        has_token = chance.random() < 0.7
        headers = {"Content-Type": FORM} if method in ("POST", "PUT") else {}
        scheme = "https" if is_plain or chance.random() < 0.3 else "http"
        address = f"{scheme}://{HOST}{path()}" + (f"?{query}" if query else "")

        def sign(**other):
            signing = client(by, place, has_token, **other)
            return signing.sign(address, method, body if headers else None, dict(headers))

        made = sign()
        send("as signed", made, scheme, 200, "")
        if is_plain:
            # Only the secrets are signed.
            send("another secret", sign(secret="another"), scheme, 401, "unauthorized")
            send("without TLS", sign(), "http", 400, "unsupported")
        else:
            send("changed", made, scheme, 401, "unauthorized", added="added=1")
            send("another scheme", made, "http" if scheme == "https" else "https", 401, "unauthorized")
        if chance.random() < 0.3:
            send("again", made, scheme, 401, "usedNonce")
        if chance.random() < 0.2:
            moved = int(time.time()) + chance.choice([-1, 1]) * chance.randint(320, 100000)
            send("too old or too early", sign(timestamp=str(moved)), scheme, 401, "staleTimestamp")
    connection.close()


class Verifier(http.server.BaseHTTPRequestHandler):
    """Verifies by oauthlib what our signer has signed."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        uri = f"{self.headers[SCHEME]}://{self.headers['Host']}{self.path}"
        request = Request(uri, self.command, body, dict(self.headers))
        headers = {key.title(): value for key, value in self.headers.items()}
        collected = signature.collect_parameters(
            uri_query=urllib.parse.urlparse(request.uri).query,
            body=body if headers.get("Content-Type") == FORM else [],
            headers=headers, exclude_oauth_signature=False)
        protocol = dict(pair for pair in collected if pair[0].startswith("oauth_"))
        request.params = [pair for pair in collected if pair[0] != "oauth_signature"]
        # oauthlib decodes what stands in a query or form twice, which the signature of PLAINTEXT does not bear.
        once = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(request.uri).query) + urllib.parse.parse_qsl(body))
        request.signature = once.get("oauth_signature", protocol.get("oauth_signature"))
        token_secret = TOKEN[1] if protocol.get("oauth_token") == TOKEN[0] else None
        check = {
            "HMAC-SHA1": lambda: signature.verify_hmac_sha1(request, CLIENT[1], token_secret),
            "HMAC-SHA256": lambda: signature.verify_hmac_sha256(request, CLIENT[1], token_secret),
            "RSA-SHA1": lambda: signature.verify_rsa_sha1(request, PUBLIC),
            "RSA-SHA256": lambda: signature.verify_rsa_sha256(request, PUBLIC),
            "PLAINTEXT": lambda: signature.verify_plaintext(request, CLIENT[1], token_secret),
        }[protocol["oauth_signature_method"]]
        status = 200 if check() else 401
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


def main():
    modulus = base64.urlsafe_b64encode(KEY.public_key().public_numbers().n.to_bytes(256, "big")).decode().rstrip("=")
    print(f"key {modulus} {PRIVATE.replace(chr(10), '|')}", flush=True)
    assert sys.stdin.readline() == "known\n"
    signed_by_oauthlib()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Verifier)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening 127.0.0.1:{server.server_port}", flush=True)
    accepted = sys.stdin.readline()
    server.shutdown()
    if accepted != f"accepted {COUNT}, refused {COUNT}\n":
        raise SystemExit(f"our signatures: {accepted}")


main()
