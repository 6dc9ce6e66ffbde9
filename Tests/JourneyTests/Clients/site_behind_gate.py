"""Three sites behind a gate, as others read its header fields: one that repeats the request, a media server with accounts
of its own, and a dashboard that proves the statement of the gate by joserfc.

Prints its port. `/media/` makes an account of `Remote-User`; `/dashboard/` verifies `X-Countersign-Assertion`.
"""

import base64
import hashlib
import http.server
import json
import os
import urllib.parse

import requests
from joserfc import jwt
from joserfc.jwk import KeySet

accounts = {}


def statement(token):
    """The claims of the gate's statement, if it is for this site."""
    site = os.environ["SITE"]
    keys = KeySet.import_key_set(requests.get(f"{site}/gate/jwks", timeout=20).json())
    claims = jwt.decode(token, keys, algorithms=["ES256"]).claims
    jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": f"{site}/gate"}, aud={"essential": True, "value": site}, exp={"essential": True}
    ).validate(claims)
    return claims


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        received = 0
        while received < int(self.headers.get("Content-Length") or 0):
            received += len(self.rfile.read(min(65536, int(self.headers["Content-Length"]) - received)))
        if self.headers.get("Upgrade"):
            return self.upgrade()
        answer = {"method": self.command, "path": self.path, "headers": list(self.headers.items()), "body": received}
        if self.path.startswith("/media/"):
            name = urllib.parse.unquote(self.headers.get("Remote-Name") or "")
            user = urllib.parse.unquote(self.headers.get("Remote-User") or "")
            answer["account"] = accounts.setdefault(user, name) if user else None
        if self.path.startswith("/dashboard/"):
            answer["account"] = statement(self.headers["X-Countersign-Assertion"])["preferred_username"]
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Site", "reached")
        self.end_headers()
        self.wfile.write(body)

    def upgrade(self):
        """Changes to every protocol that is asked for. Standard: RFC 6455 §4.2.2."""
        key = (self.headers["Sec-WebSocket-Key"] or "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", self.headers["Upgrade"])
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(f"port {server.server_address[1]}", flush=True)
server.serve_forever()
