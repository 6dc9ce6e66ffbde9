"""Thousands of random requests of OAuth 1: signed by oauthlib for our verifier, and verified by oauthlib for our signer."""

import http.client
import http.server
import os
import random
import sys
import threading
import urllib.parse

from oauthlib import oauth1
from oauthlib.common import Request
from oauthlib.oauth1.rfc5849 import signature

HOST = os.environ["JOURNEY_HOST"]
COUNT = int(os.environ["JOURNEY_COUNT"])
CLIENT, TOKEN = ("client-key", "client secret &=+%~é"), ("token-key", "token*secret/ü")
FORM = "application/x-www-form-urlencoded"
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
    # Without a semicolon: oauthlib drops one at the end of a path, where Python's urlparse expects parameters.
    return "/" + urllib.parse.quote(words(8).replace("\n", ""), safe="/~!$'()*,:=@")


def signed_by_oauthlib():
    """Requests that our verifier has to accept, and each of them changed, which it has to refuse."""
    connection = http.client.HTTPConnection(HOST, timeout=30)
    for number in range(COUNT):
        method = chance.choice(["GET", "POST", "PUT", "DELETE"])
        query = parameters()
        body = parameters() if method in ("POST", "PUT") else ""
        place = chance.choice([oauth1.SIGNATURE_TYPE_AUTH_HEADER, oauth1.SIGNATURE_TYPE_QUERY])
        if method in ("POST", "PUT"):
            place = chance.choice([place, oauth1.SIGNATURE_TYPE_BODY])
        has_token = chance.random() < 0.7
        client = oauth1.Client(
            CLIENT[0], client_secret=CLIENT[1],
            resource_owner_key=TOKEN[0] if has_token else None,
            resource_owner_secret=TOKEN[1] if has_token else None,
            signature_method=chance.choice([oauth1.SIGNATURE_HMAC_SHA1, oauth1.SIGNATURE_HMAC_SHA256]),
            signature_type=place,
            realm=chance.choice([None, "Photos"]) if place == oauth1.SIGNATURE_TYPE_AUTH_HEADER else None,
        )
        headers = {"Content-Type": FORM} if method in ("POST", "PUT") else {}
        address = f"http://{HOST}{path()}" + (f"?{query}" if query else "")
        uri, sent, body_out = client.sign(address, method, body if headers else None, headers)
        target = uri[len(f"http://{HOST}"):]
        for change, expected in [("", 200), ("&" if "?" in target else "?", 401)]:
            changed = target + (f"{change}added=1" if change else "")
            connection.request(method, changed, body=body_out or None, headers=dict(sent))
            answer = connection.getresponse()
            said = answer.read()
            assert answer.status == expected, (number, method, uri, sent, body_out, answer.status, said)
    connection.close()


class Verifier(http.server.BaseHTTPRequestHandler):
    """Verifies by oauthlib what our signer has signed."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        request = Request(f"http://{self.headers['Host']}{self.path}", self.command, body, dict(self.headers))
        headers = {key.title(): value for key, value in self.headers.items()}
        collected = signature.collect_parameters(
            uri_query=urllib.parse.urlparse(request.uri).query,
            body=body if headers.get("Content-Type") == FORM else [],
            headers=headers, exclude_oauth_signature=False)
        protocol = dict(pair for pair in collected if pair[0].startswith("oauth_"))
        request.params = [pair for pair in collected if pair[0] != "oauth_signature"]
        request.signature = protocol.get("oauth_signature")
        check = {
            "HMAC-SHA1": signature.verify_hmac_sha1,
            "HMAC-SHA256": signature.verify_hmac_sha256,
        }[protocol["oauth_signature_method"]]
        token_secret = TOKEN[1] if protocol.get("oauth_token") == TOKEN[0] else None
        status = 200 if check(request, CLIENT[1], token_secret) else 401
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


def main():
    signed_by_oauthlib()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Verifier)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening 127.0.0.1:{server.server_port}", flush=True)
    accepted = sys.stdin.readline()
    server.shutdown()
    if accepted != f"accepted {COUNT}, refused {COUNT}\n":
        raise SystemExit(f"our signatures: {accepted}")


main()
