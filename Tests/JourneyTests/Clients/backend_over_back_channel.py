"""A backend in plain Python: it names a person, who decides on the pages of the server, and is told by poll and by ping."""

import json
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
from authlib.jose import JsonWebKey, jwt

from journey import BACKEND_SECRET, PATIENCE, PERSON, Person, advance, discover, introspect, keys

CIBA = "urn:openid:params:grant-type:ciba"
BACKEND = ("backend", BACKEND_SECRET)

metadata = discover("openid-configuration")
assert metadata["backchannel_token_delivery_modes_supported"] == ["poll", "ping", "push"], metadata
assert metadata["backchannel_user_code_parameter_supported"] is True, metadata
assert CIBA in metadata["grant_types_supported"], metadata


def ask(**changes):
    form = {"scope": "openid profile", "login_hint": PERSON["username"], **changes}
    return requests.post(
        metadata["backchannel_authentication_endpoint"], data=form, auth=BACKEND, timeout=PATIENCE
    )


def asked(**changes):
    answer = ask(**changes)
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store", answer.text
    return answer.json()


def poll(request, **headers):
    return requests.post(
        metadata["token_endpoint"],
        data={"grant_type": CIBA, "auth_req_id": request["auth_req_id"]},
        auth=BACKEND,
        headers=headers,
        timeout=PATIENCE,
    )


def claims_of(tokens):
    claims = jwt.decode(tokens["id_token"], JsonWebKey.import_key_set(keys(metadata)))
    assert claims["sub"] == PERSON["subject"] and claims["aud"] == "backend", claims
    return claims


person = Person()

# By poll.
request = asked(binding_message="Ticket 4711")
assert request["expires_in"] == 300 and request["interval"] == 5 and len(request["auth_req_id"]) >= 27, request
pending = poll(request)
assert pending.status_code == 400 and pending.json()["error"] == "authorization_pending", pending.text
assert poll(request).json()["error"] == "slow_down"
person.answer_question("approve", "Ticket 4711")
tokens = poll(request).json()
claims_of(tokens)
assert introspect(metadata, tokens["access_token"])["active"]
assert person.question() is None

# Denied, and over.
request = asked(binding_message="Ticket 4712")
person.answer_question("deny", "Ticket 4712")
assert poll(request).json()["error"] == "access_denied"
request = asked(requested_expiry="30", login_hint="nobody")
assert request["expires_in"] == 30, request
advance(30)
assert poll(request).json()["error"] == "expired_token"
assert ask(binding_message="two\nlines").json()["error"] == "invalid_binding_message"
assert ask(login_hint="").json()["error"] == "invalid_request"

# A request that is held open is answered as soon as there is a decision.
request = asked(binding_message="Ticket 4713")
held = queue.Queue()
waiting = threading.Thread(target=lambda: held.put(poll(request, Prefer="wait=20")))
waiting.start()
person.answer_question("approve", "Ticket 4713")
waiting.join(PATIENCE)
assert held.get(timeout=1).status_code == 200

# By ping.
notifications = queue.Queue()


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        notifications.put((self.path, self.headers, json.loads(body)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


endpoint = HTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=endpoint.serve_forever, daemon=True).start()
print(f"endpoint http://127.0.0.1:{endpoint.server_port}/decided", flush=True)
assert sys.stdin.readline() == "registered\n"

assert ask().json()["error"] == "invalid_request", "a token is needed now"
token = "8d67dc78-7faa-4d41-aabd-67707b374255"
request = asked(binding_message="Ticket 4714", client_notification_token=token)
person.answer_question("approve", "Ticket 4714")
for _ in range(60):
    advance(1)
    try:
        path, headers, told = notifications.get(timeout=1)
        break
    except queue.Empty:
        continue
else:
    raise AssertionError("nobody called")
assert path == "/decided" and headers["authorization"] == f"Bearer {token}", headers
assert headers["content-type"] == "application/json" and told == {"auth_req_id": request["auth_req_id"]}, told
claims_of(poll(request).json())

print("the backend is content")
