"""Random secrets of pyotp for our generator, and random links of ours for pyotp."""

import hashlib
import os
import random
import urllib.parse

import pyotp

COUNT = int(os.environ["JOURNEY_COUNT"])
chance = random.Random(6238)
ALGORITHMS = {"SHA1": "sha1", "SHA256": "sha256", "SHA512": "sha512"}
NAMES = ["ada", "ada@example.com", "Ada & Grace", "ödipus/1?", "a+b%c", "名前"]


def ask(line):
    print(line, flush=True)
    return input()


def generator():
    """A generator of pyotp, its link, and the counter or time of which it is asked."""
    secret = pyotp.random_base32(length=32 + 8 * chance.randint(0, 6))
    digits = chance.choice([6, 7, 8])
    digest = getattr(hashlib, chance.choice(list(ALGORITHMS.values())))
    names = {"name": chance.choice(NAMES), "issuer_name": chance.choice(NAMES)}
    if chance.random() < 0.5:
        counter = chance.choice([chance.randint(0, 100), chance.randint(0, 2**63 - 1)])
        made = pyotp.HOTP(secret, digits=digits, digest=digest, initial_count=counter)
        return made.provisioning_uri(**names), made.at(0), counter
    made = pyotp.TOTP(secret, digits=digits, digest=digest, interval=chance.choice([15, 30, 60, 90]))
    instant = chance.randint(0, 2**33)
    return made.provisioning_uri(**names), made.at(instant), instant


for number in range(COUNT):
    link, expected, moment = generator()
    answer = ask(f"code {moment} {link}")
    assert answer == expected, (link, moment, answer, expected)

for number in range(COUNT):
    moment, link, expected = ask(f"link {number}").split(" ", 2)
    made = pyotp.parse_uri(link)
    # pyotp counts from the initial count, which the link holds.
    code = made.at(int(moment)) if isinstance(made, pyotp.TOTP) else made.at(0)
    assert code == expected.strip(), (link, moment, code, expected)
    assert urllib.parse.urlparse(link).scheme == "otpauth", link
    assert made.issuer == f"Ciné {number} & Co" and made.name == f"ada+{number}@example.com", (made.issuer, made.name)

print(f"{2 * COUNT} passwords agree")
