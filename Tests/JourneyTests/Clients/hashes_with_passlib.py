"""People of other systems: their hashes made by passlib, argon2-cffi, bcrypt and hashlib, in files to import.

It prints a line of JSON for each person: the user name and the password.
"""

import base64
import csv
import hashlib
import json
import os
import pathlib
import struct

import argon2
import bcrypt
from passlib import hash as passlib

FOLDER = pathlib.Path(os.environ["JOURNEY_FOLDER"])
# The hashes of passlib itself, and not of the libraries with which the server verifies.
passlib.sha512_crypt.set_backend("builtin")
passlib.scrypt.set_backend("stdlib")
passlib.argon2.set_backend("argon2_cffi")
ARGON2 = argon2.PasswordHasher(time_cost=2, memory_cost=1024, parallelism=2)


def b64(data):
    return base64.b64encode(data).decode()


def by_bcrypt(prefix):
    def make(password):
        salt = bcrypt.gensalt(5)
        # The library makes salts of two kinds, and reads all.
        return bcrypt.hashpw(password.encode()[:72], prefix + salt[3:]).decode()

    return make


def django_pbkdf2(algorithm, iterations):
    def make(password):
        digest = hashlib.pbkdf2_hmac(algorithm, password.encode(), b"a8N0sZk2", iterations)
        return f"pbkdf2_{algorithm}${iterations}$a8N0sZk2${b64(digest)}"

    return make


def identity_2(password):
    salt = os.urandom(16)
    return b64(b"\0" + salt + hashlib.pbkdf2_hmac("sha1", password.encode(), salt, 1000, 32))


def identity_3(number, algorithm, iterations):
    def make(password):
        salt = os.urandom(16)
        key = hashlib.pbkdf2_hmac(algorithm, password.encode(), salt, iterations, 32)
        return b64(b"\1" + struct.pack(">III", number, iterations, len(salt)) + salt + key)

    return make


def keycloak(algorithm, name, iterations, length=64):
    """Standard: the export of a realm in Keycloak 8 and later."""

    def make(password):
        salt = os.urandom(16)
        value = hashlib.pbkdf2_hmac(algorithm, password.encode(), salt, iterations, length)
        return {
            "id": "4a2b",
            "type": "password",
            "userLabel": "My password",
            "createdDate": 1700000000000,
            "secretData": json.dumps({"value": b64(value), "salt": b64(salt), "additionalParameters": {}}),
            "credentialData": json.dumps(
                {"hashIterations": iterations, "algorithm": name, "additionalParameters": {}}
            ),
        }

    return make


def keycloak_argon2(password):
    """The standard of Keycloak 25 and later."""
    salt = os.urandom(16)
    value = argon2.low_level.hash_secret_raw(
        password.encode(), salt, time_cost=5, memory_cost=7168, parallelism=1, hash_len=32, type=argon2.Type.ID
    )
    parameters = {"hashLength": ["32"], "memory": ["7168"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}
    return {
        "type": "password",
        "secretData": json.dumps({"value": b64(value), "salt": b64(salt), "additionalParameters": {}}),
        "credentialData": json.dumps(
            {"hashIterations": 5, "algorithm": "argon2", "additionalParameters": parameters}
        ),
    }


def old_keycloak(password):
    """The flat form before Keycloak 8."""
    salt = os.urandom(16)
    value = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 27500, 64)
    return {
        "type": "password",
        "hashedSaltedValue": b64(value),
        "salt": b64(salt),
        "hashIterations": 27500,
        "counter": 0,
        "algorithm": "pbkdf2-sha256",
        "digits": 0,
        "period": 0,
        "createdDate": 1500000000000,
        "config": {},
    }


FORMS = {
    "bcrypt-2a": by_bcrypt(b"$2a"),
    "bcrypt-2b": by_bcrypt(b"$2b"),
    "bcrypt-2y": by_bcrypt(b"$2y"),
    "bcrypt-django": lambda password: "bcrypt$" + by_bcrypt(b"$2b")(password),
    "pbkdf2-sha1": passlib.pbkdf2_sha1.using(rounds=2000).hash,
    "pbkdf2-sha256": passlib.pbkdf2_sha256.using(rounds=2000, salt_size=33).hash,
    "pbkdf2-sha512": passlib.pbkdf2_sha512.using(rounds=2000).hash,
    "django-sha1": passlib.django_pbkdf2_sha1.using(rounds=2000).hash,
    "django-sha256": passlib.django_pbkdf2_sha256.using(rounds=2000).hash,
    # The iterations of Django 4.1.
    "django-hashlib": django_pbkdf2("sha256", 390_000),
    "identity-2": identity_2,
    "identity-3-sha1": identity_3(0, "sha1", 1000),
    "identity-3-sha256": identity_3(1, "sha256", 10_000),
    "identity-3-sha512": identity_3(2, "sha512", 100_000),
    "keycloak-sha1": keycloak("sha1", "pbkdf2", 20_000),
    "keycloak-sha256": keycloak("sha256", "pbkdf2-sha256", 27_500),
    "keycloak-sha512": keycloak("sha512", "pbkdf2-sha512", 30_000),
    "keycloak-argon2": keycloak_argon2,
    "keycloak-old": old_keycloak,
    "argon2": ARGON2.hash,
    # The memory and the lanes that the library chooses.
    "argon2-standard": argon2.PasswordHasher().hash,
    "argon2-passlib": passlib.argon2.using(type="ID", memory_cost=512, time_cost=3, parallelism=1).hash,
    "argon2-django": lambda password: "argon2" + ARGON2.hash(password),
    "sha512": passlib.sha512_crypt.using(rounds=5000).hash,
    "sha512-rounds": passlib.sha512_crypt.using(rounds=1234).hash,
    "scrypt": passlib.scrypt.using(rounds=10, block_size=4, parallelism=2).hash,
    # A salt with a character of Base64 that libxcrypt does not take.
    "scrypt-crypt": passlib.scrypt.using(ident="$7$", rounds=10, salt=b"ab+/0123Zyx+9").hash,
}
# Forms that the server does not take, and texts that are no hashes.
REFUSED = {
    "argon2i": argon2.PasswordHasher(1, 64, 1, type=argon2.Type.I).hash,
    "sha256-crypt": passlib.sha256_crypt.using(rounds=1000).hash,
    "md5-crypt": passlib.md5_crypt.hash,
    "bcrypt-sha256-django": lambda password: "bcrypt_sha256$" + by_bcrypt(b"$2b")(password),
    "ldap-sha1": passlib.ldap_salted_sha1.hash,
    "cut": lambda password: ARGON2.hash(password)[:-30],
    "costly": lambda password: "$2b$31" + by_bcrypt(b"$2b")(password)[6:],
    "none": lambda password: "!",
}


def people(kind, forms):
    for form, make in forms.items():
        # A password of more bytes than bcrypt sees, and letters in two parts.
        password = f"{kind} {form}: Zwo\u0308lf Boxkämpfer, 馬 " + ("and so on " * 9 if form == "bcrypt-2b" else "")
        yield {"username": f"{kind}-{form}", "name": f'"{form}", of {kind}', "password_hash": make(password)}, password


def text(value):
    return json.dumps(value) if isinstance(value, dict) else value


def write_csv(name, rows):
    with open(FOLDER / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["username", "name", "password_hash"])
        writer.writeheader()
        writer.writerows({**row, "password_hash": text(row["password_hash"])} for row in rows)


known = {"csv": list(people("csv", FORMS)), "json": list(people("json", FORMS))}
write_csv("people.csv", [row for row, _ in known["csv"]])
with open(FOLDER / "people.jsonl", "w", encoding="utf-8") as file:
    file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row, _ in known["json"])
write_csv("refused.csv", [row for row, _ in people("refused", REFUSED)])
for row, password in known["csv"] + known["json"]:
    print(json.dumps({"username": row["username"], "password": password}))
