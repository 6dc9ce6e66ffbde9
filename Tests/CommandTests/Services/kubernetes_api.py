"""As much of the API server of Kubernetes as `kubectl get namespaces` needs, over TLS.

kubernetes_api.py CERTIFICATE KEY KIND: KIND is the token that it wants: `access`, which the server knows, or `id`, a
statement of the server about somebody for CLIENT. It prints its address.
"""

import base64
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler

import tls_server
import token_check

CERTIFICATE, KEY, KIND = sys.argv[1:]

ANSWERS = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {
        "kind": "APIResourceList",
        "groupVersion": "v1",
        "resources": [
            {
                "name": "namespaces",
                "singularName": "namespace",
                "namespaced": False,
                "kind": "Namespace",
                "verbs": ["get", "list"],
                "shortNames": ["ns"],
            }
        ],
    },
    "/api/v1/namespaces": {
        "kind": "NamespaceList",
        "apiVersion": "v1",
        "metadata": {"resourceVersion": "1"},
        "items": [{"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "kitchen"}}],
    },
}


def is_statement(token):
    """Whether it is an ID token for the client; its signature is not looked at."""
    parts = token.split(".")
    if len(parts) != 3:
        return False
    claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    return (
        claims["iss"] == token_check.ISSUER
        and os.environ["CLIENT"] in (claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]])
        and claims["exp"] > time.time()
    )


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        token = token_check.presented(self.headers["Authorization"], "Bearer")
        good = token is not None and (is_statement if KIND == "id" else token_check.is_good)(token)
        print(f"{self.path} {'accepted' if good else 'refused'}", flush=True)
        answer = ANSWERS.get(self.path.partition("?")[0])
        status = 401 if not good else 200 if answer else 404
        body = json.dumps(answer if status == 200 else {"kind": "Status", "apiVersion": "v1", "code": status})
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


tls_server.serve(Handler, CERTIFICATE, KEY)
