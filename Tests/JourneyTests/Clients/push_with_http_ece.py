"""A service of Web Push, with the keys of its one receiver: http-ece decrypts the messages, py_vapid verifies the server.

It prints its port, the subscription, and of each message a line of JSON. Where it is told of another receiver, it also
prints a message for that one.
"""

import base64
import http.server
import json
import os

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

# The answer for each message, the last one for all that follow.
ANSWERS = [int(status) for status in os.environ["JOURNEY_ANSWERS"].split(",")]
PATH = "/send/one?way=in"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


key = ec.generate_private_key(ec.SECP256R1())
secret = os.urandom(16)


class Service(http.server.BaseHTTPRequestHandler):
    count = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        authorization = self.headers["Authorization"]
        token = authorization.split("t=")[1].split(",")[0]
        status = ANSWERS[min(Service.count, len(ANSWERS) - 1)]
        Service.count += 1
        message = {
            "answer": status,
            "path": self.path,
            "ttl": self.headers["TTL"],
            "urgency": self.headers["Urgency"],
            "topic": self.headers["Topic"],
            "coding": self.headers["Content-Encoding"],
            "length": len(body),
            "is_verified": Vapid02.verify(authorization),
            "key": authorization.split("k=")[1],
            "claims": json.loads(decode(token.split(".")[1])),
            "content": http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm").decode(),
        }
        # It is printed before it is answered.
        print(json.dumps(message), flush=True)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
subscription = {
    "endpoint": f"http://127.0.0.1:{server.server_port}{PATH}",
    "expirationTime": None,
    "keys": {
        "p256dh": encode(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)),
        "auth": encode(secret),
    },
}
receiver = os.environ.get("JOURNEY_RECEIVER")
if receiver:
    keys = json.loads(receiver)["keys"]
    message = http_ece.encrypt(
        json.dumps({"type": "auth_instant", "authId": "from Python"}).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decode(keys["p256dh"]),
        auth_secret=decode(keys["auth"]),
        version="aes128gcm",
    )
    print(f"encrypted {encode(message)}", flush=True)
print(f"subscription {json.dumps(subscription)}", flush=True)
server.serve_forever()
