"""A customer's server and a phone with the older SDK, both in plain Python with a JOSE library of others.

The customer calls as the old PHP client does: iat, nbf, exp, sig over the body, auth_id. The phone sends what the SDK
for Apple's phones sends, and the answers as Android's does.
"""

import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import requests
from joserfc import jwt
from joserfc.jwk import OctKey

ISSUER = os.environ["JOURNEY_ISSUER"]
ENVIRONMENT = os.environ["JOURNEY_ENVIRONMENT"]
SECRET = os.environ["JOURNEY_SECRET"]
APP_KEY = os.environ["JOURNEY_APP_KEY"]
NUMBER = os.environ["JOURNEY_NUMBER"]
PATIENCE = 120

clock = int(os.environ["JOURNEY_TIME"])


def ask(line):
    """Says something to the test, and returns its answer."""
    print(line, flush=True)
    answer = sys.stdin.readline().rstrip("\n")
    assert answer, f"no answer to {line}"
    return answer


def advance(seconds):
    global clock
    assert ask(f"advance {seconds}") == "advanced"
    clock += seconds


def token(secret, body=None, auth_id=None, lifetime=60, header=None):
    claims = {"iat": clock, "nbf": clock, "exp": clock + lifetime}
    if auth_id:
        claims["auth_id"] = auth_id
    if body is not None:
        claims["sig"] = hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()
    return jwt.encode(header or {"alg": "HS256", "typ": "JWT"}, claims, OctKey.import_key(secret))


def call(method, path, bearer=None, body=None, **headers):
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    headers["Content-Type"] = "application/json; charset=utf-8"
    headers["Accept"] = "application/json; charset=utf-8"
    return requests.request(method, f"{ISSUER}{path}", data=body, headers=headers, timeout=PATIENCE)


def scan(address):
    """What a camera reads: the picture at an address, drawn as grey squares and read by zbar."""
    svg = requests.get(address, timeout=PATIENCE).text
    size, scale = int(re.search(r'viewBox="0 0 (\d+) ', svg).group(1)), 8
    pixels = [bytearray(b"\xff" * size * scale) for _ in range(size * scale)]
    for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", svg):
        for row in range(int(y) * scale, (int(y) + 1) * scale):
            pixels[row][int(x) * scale : (int(x) + int(run)) * scale] = bytes(int(run) * scale)
    with tempfile.NamedTemporaryFile(suffix=".pgm") as picture:
        picture.write(b"P5\n%d %d\n255\n" % (size * scale, size * scale) + b"".join(pixels))
        picture.flush()
        read = subprocess.run(
            ["zbarimg", "--nodbus", "--quiet", "--raw", picture.name], capture_output=True, check=True, text=True
        )
    return read.stdout.strip()


# The customer, as the old PHP client.


def opened(kind, **members):
    body = json.dumps({"environment_id": ENVIRONMENT, "to": NUMBER, "expiry": 60, "ip": "203.0.113.7", **members})
    answer = call("POST", f"/auth/v1.0/{kind}", token(SECRET, body), body)
    assert answer.status_code == 200, answer.text
    request = answer.json()
    assert request["auth_type"] == kind and request["auth_status"] in ("open", "failed"), request
    return request


def read(request, **headers):
    path = f"/auth/v1.0/{request['auth_type']}/{request['id']}"
    answer = call("GET", path, token(SECRET, auth_id=request["id"]), **headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def checked(request, pin):
    body = json.dumps({"pin": pin})
    return call("PUT", f"/auth/v1.0/otp/{request['id']}", token(SECRET, body, request["id"]), body)


# The phone. 115: it registers with its app key, and changes itself afterwards.

DEVICE = "/authenticator/v1.0/device"
fields = {
    "manufacturer": "Apple", "os_version": "10.3.3", "app_version": "1.2", "app_id": "com.example.bank",
    "language_code": "en", "model": "iPhone", "model_id": "iPhone9,3", "platform": "iOS", "app_key": APP_KEY,
}
answer = call("POST", DEVICE, body=json.dumps({**fields, "app_key": "other"}))
assert answer.status_code == 401 and set(answer.json()) == {"status", "message"}, answer.text
answer = call("POST", DEVICE, body=json.dumps(fields))
assert answer.status_code == 200, answer.text
device = answer.json()
assert device["registration_status"] == "unverified", device
assert device["push_enabled"] is False and device["development"] is False, device
phone = f"{DEVICE}/{device['id']}"

# 119: the push token, in small hexadecimal digits.
answer = call("PUT", phone, body=json.dumps({**fields, "push_token": "00ffa0", "push_enabled": True, "development": True}))
assert answer.json()["push_enabled"] is True and answer.json()["development"] is True, answer.text

# 123, 125, 126, 127, 124: the number is proved by the code of a text; afterwards it needs none.
answer = call("PUT", phone, body=json.dumps({**fields, "phone_number": "not a number"}))
assert answer.status_code == 400, answer.text
answer = call("PUT", phone, body=json.dumps({**fields, "phone_number": NUMBER}))
assert answer.json()["registration_status"] == "pending", answer.text
advance(2)
code = ask("code")
answer = call("PUT", phone, body=json.dumps({"verification_code": "x" + code}))
assert answer.json()["registration_status"] == "pending", answer.text
answer = call("PUT", phone, body=json.dumps({"verification_code": code}))
assert answer.json()["registration_status"] == "verified", answer.text
assert call("GET", phone).json()["registration_status"] == "verified"
answer = call("PUT", phone, body=json.dumps({**fields, "phone_number": NUMBER}))
assert answer.json()["registration_status"] == "verified", answer.text
assert call("GET", f"{DEVICE}/other").status_code == 404

# 129: no environments yet; 131, 132: one by the secret of the QR code that the customer's site shows.
assert call("GET", f"{phone}/environment").json() == []
first = opened("instant")
assert first["qr_url"].startswith(ISSUER) and len(first["number"]) == 2, first
environment, shared = scan(first["qr_url"]).split(",", 1)
assert environment == ENVIRONMENT
mine = f"{phone}/environment/{ENVIRONMENT}"
assert call("PUT", mine, token("wrong")).status_code == 401
for _ in range(2):
    assert call("PUT", mine, token(shared)).status_code in (200, 204)
assert [one["name"] for one in call("GET", f"{phone}/environment").json()] == ["My Bank"]
assert "qr_url" not in read(first)

# 135, 137, 138: the request is fetched and approved; Android's token names the request and the body, and has no typ.
listed = call("GET", f"{mine}/auth", token(shared)).json()
assert [one["id"] for one in listed] == [first["id"]], listed
assert listed[0]["auth_type"] == "instant" and listed[0]["expiry"] == 60 and listed[0]["ip"] == "203.0.113.7", listed
time.strptime(listed[0]["created_at"], "%Y-%m-%dT%H:%M:%S+0000")
body = json.dumps({"auth_status": "approved"})
path = f"{phone}/instant/{first['id']}"
assert call("PUT", path, token(shared, body + " ", first["id"]), body).status_code == 401
answer = call("PUT", path, token(shared, body, first["id"], header={"alg": "HS256"}), body)
assert answer.status_code == 200 and answer.json()["auth_status"] == "approved", answer.text
assert read(first)["auth_status"] == "approved"
assert call("GET", f"{mine}/auth", token(shared)).json() == []

# 138: denied, with the token of the first app, which says nothing; 141: nothing else is taken.
second = opened("instant", message_type="push", text="Pay 5 EUR")
path = f"{phone}/instant/{second['id']}"
assert call("PUT", path, token(shared), json.dumps({"auth_status": "failed"})).status_code == 400
assert call("PUT", path, token(shared), json.dumps({"auth_status": "denied"})).status_code == 200
assert call("PUT", path, token(shared), json.dumps({"auth_status": "approved"})).status_code == 409
assert read(second, Prefer="wait=10")["auth_status"] == "denied"

# The page at the site waits by server-sent events; the token that it gets names the request.
events = requests.get(f"{ISSUER}/auth/v1.0/instant/{second['id']}/events", timeout=PATIENCE)
assert events.headers["content-type"].startswith("text/event-stream"), events.headers
data = [line for line in events.text.split("\n") if line.startswith("data: ")]
told = jwt.decode(json.loads(data[0][6:])["token"], OctKey.import_key(SECRET), algorithms=["HS256"]).claims
assert told["auth_id"] == second["id"] and told["auth_status"] == "denied", told

# 139: a one-time password is shown by the phone and accepted once; a wrong one is denied.
third = opened("otp")
pin = call("GET", f"{mine}/auth", token(shared)).json()[0]["pin"]
assert len(pin) == 5 and pin.isdigit(), pin
assert checked(third, "x" + pin).json()["auth_status"] == "denied"
assert checked(third, pin).json()["auth_status"] == "approved"
advance(1)
assert checked(third, pin).status_code == 409

# 140: at its expiry a request disappears; a late answer is 410, and the customer reads that it expired.
fourth = opened("instant")
advance(60)
assert call("GET", f"{mine}/auth", token(shared)).json() == []
answer = call("PUT", f"{phone}/instant/{fourth['id']}", token(shared), json.dumps({"auth_status": "approved"}))
assert answer.status_code == 410 and answer.json()["status"] == 410, answer.text
assert read(fourth)["auth_status"] == "expired"

# 133: it leaves the environment.
assert call("DELETE", mine, token(shared)).status_code == 204
assert call("GET", f"{mine}/auth", token(shared)).status_code == 401
assert call("GET", f"{phone}/environment").json() == []
assert call("GET", "/authenticator/v1.0/certificate").json() == []
