"""A service of Web Push, with the keys of its one receiver: http-ece decrypts the messages, py_vapid verifies the server.

It prints its port, the subscription, and of each message a line of JSON. Where it is told of another receiver, it also
prints a message for that one that pywebpush encrypted. Where it is told to send, pywebpush sends it the first message.
"""

import base64
import http.server
import json
import os
import threading

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher, webpush

# The answer for each message, the last one for all that follow.
ANSWERS = [int(status) for status in os.environ["JOURNEY_ANSWERS"].split(",")]
PATH = "/send/one?way=in"
# The header fields of Web Push, and those of its drafts.
FIELDS = {"authorization", "ttl", "urgency", "topic", "content-encoding", "crypto-key", "encryption"}


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
            "form": {
                "fields": sorted(FIELDS & {name.lower() for name in self.headers}),
                "scheme": authorization.split(" ")[0],
                "token": json.loads(decode(token.split(".")[0])),
                "claims": sorted(json.loads(decode(token.split(".")[1]))),
                # The size of the record, and the length of the sender's key.
                "record": body[16:21].hex(),
            },
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
    message = WebPusher(json.loads(receiver)).encode(
        json.dumps({"type": "auth_instant", "authId": "from Python"}).encode()
    )
    print(f"encrypted {encode(message['body'])}", flush=True)
print(f"subscription {json.dumps(subscription)}", flush=True)
threading.Thread(target=server.serve_forever).start()
if os.environ.get("JOURNEY_SENDS"):
    signer = Vapid02()
    signer.generate_keys()
    webpush(
        subscription,
        "from Python",
        vapid_private_key=signer,
        vapid_claims={"sub": "mailto:you@example.org"},
        ttl=60,
        headers={"Urgency": "high", "Topic": "topic"},
    )
