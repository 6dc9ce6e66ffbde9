"""As much of a registry of images as `skopeo list-tags` needs, over TLS.

image_registry.py CERTIFICATE KEY: it wants an access token as the password of Basic authentication, and prints its
address.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler

import tls_server
import token_check

CERTIFICATE, KEY = sys.argv[1:]

# Standard: OCI Distribution Specification 1.0, "Determining Support" and "Content Discovery".
ANSWERS = {"/v2/": {}, "/v2/kitchen/radio/tags/list": {"name": "kitchen/radio", "tags": ["evening", "morning"]}}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        token = token_check.presented(self.headers["Authorization"], "Basic")
        good = token is not None and token_check.is_good(token)
        print(f"{self.path} {'accepted' if good else 'refused' if token else 'without a token'}", flush=True)
        answer = ANSWERS.get(self.path.partition("?")[0])
        status = 401 if not good else 404 if answer is None else 200
        codes = {401: "UNAUTHORIZED", 404: "NAME_UNKNOWN"}
        body = json.dumps(answer if status == 200 else {"errors": [{"code": codes[status]}]}).encode()
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="registry"')
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


tls_server.serve(Handler, CERTIFICATE, KEY)
