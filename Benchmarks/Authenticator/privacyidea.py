#!/usr/bin/env python3
"""Measures what privacyIDEA does in a second: challenges triggered, and one-time passwords checked.

It runs on SQLite, behind gunicorn with a worker for each processor, without an audit: with the best settings that it has.
Run by bench.sh, in a virtual environment that has privacyidea and gunicorn; prints "CHALLENGES PASSWORDS".
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

PARALLEL = 16
ADMIN = ("bench", "a-password-of-the-benchmark")


def settings(directory):
    return f"""
SUPERUSER_REALM = ['super']
SQLALCHEMY_DATABASE_URI = 'sqlite:///{directory}/pi.db'
SECRET_KEY = 'a key of the benchmark'
PI_PEPPER = 'a pepper of the benchmark'
PI_ENCFILE = '{directory}/enckey'
PI_AUDIT_MODULE = 'privacyidea.lib.auditmodules.base'
PI_AUDIT_NO_SIGN = True
PI_LOGFILE = '{directory}/pi.log'
PI_LOGLEVEL = 40
"""


def totp(secret, at):
    """RFC 6238 with SHA-1, 6 digits and steps of 30 seconds."""
    digest = hmac.new(secret, struct.pack(">Q", int(at) // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class Client:
    """One connection, which is kept open."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.token = None

    def post(self, path, **form):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self.token:
            headers["Authorization"] = self.token
        self.connection.request("POST", path, urllib.parse.urlencode(form), headers)
        answer = json.loads(self.connection.getresponse().read())
        if not answer["result"]["status"]:
            raise SystemExit(f"privacyIDEA refuses {path}: {answer['result'].get('error')}")
        return answer


def at_once(port, token, jobs):
    """Does all jobs, so many at once; returns how many a second were done."""
    left, lock, failures = iter(jobs), threading.Lock(), []

    def work():
        client = Client(port)
        client.token = token
        while True:
            with lock:
                job = next(left, None)
            if job is None or failures:
                return
            try:
                job(client)
            except BaseException as error:
                failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(PARALLEL)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return len(jobs) / (time.monotonic() - began)


def measure(port, count):
    admin = Client(port)
    admin.token = admin.post("/auth", username=ADMIN[0], password=ADMIN[1])["result"]["value"]["token"]
    admin.post("/policy/ask", scope="authentication", action="challenge_response=hotp", active="true")
    secrets = [hashlib.sha1(f"secret {number}".encode()).digest() for number in range(count)]

    def enroll(kind, number):
        key = {"type": kind, "serial": f"{kind}{number}", "otpkey": secrets[number].hex(), "genkey": "0"}
        return lambda client: client.post("/token/init", **key)

    at_once(port, admin.token, [enroll(kind, n) for kind in ("totp", "hotp") for n in range(count)])

    def trigger(number):
        def job(client):
            answer = client.post("/validate/triggerchallenge", serial=f"hotp{number}")
            if not answer["detail"].get("transaction_id"):
                raise SystemExit(f"privacyIDEA triggers no challenge: {answer}")

        return job

    def check(number):
        def job(client):
            answer = client.post("/validate/check", serial=f"totp{number}", **{"pass": totp(secrets[number], time.time())})
            if not answer["result"]["value"]:
                raise SystemExit(f"privacyIDEA refuses a right password: {answer}")

        return job

    challenges = at_once(port, admin.token, [trigger(number) for number in range(count)])
    passwords = at_once(port, None, [check(number) for number in range(count)])
    return challenges, passwords


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    programs = pathlib.Path(sys.executable).parent
    with tempfile.TemporaryDirectory(prefix="countersign-privacyidea.") as directory:
        configuration = pathlib.Path(directory, "pi.cfg")
        configuration.write_text(settings(directory))
        environment = os.environ | {"PRIVACYIDEA_CONFIGFILE": str(configuration)}
        quiet = {"env": environment, "cwd": directory, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        for arguments in (
            ["setup", "create_enckey"], ["setup", "create_tables"], ["admin", "add", "--password", ADMIN[1], ADMIN[0]]
        ):
            subprocess.run([programs / "pi-manage", *arguments], check=True, **quiet)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [
                programs / "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", str(os.cpu_count()), "--threads", "8",
                f"privacyidea.app:create_app(config_name='production', config_file='{configuration}', silent=True)",
            ],
            **quiet,
        )
        try:
            for _ in range(600):
                try:
                    Client(port).post("/auth", username=ADMIN[0], password=ADMIN[1])
                    break
                except (OSError, http.client.HTTPException):
                    time.sleep(0.1)
            challenges, passwords = measure(port, count)
        finally:
            server.terminate()
            server.wait()
    print(f"{challenges:.1f} {passwords:.1f}")


if __name__ == "__main__":
    main()
