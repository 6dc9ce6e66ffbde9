"""A phone's app for one-time passwords: reads the link of a QR code, and shows the code of a time."""

import os

import pyotp

made = pyotp.parse_uri(os.environ["JOURNEY_LINK"])
assert isinstance(made, pyotp.TOTP), made
print(made.issuer, made.name, made.at(int(os.environ["JOURNEY_TIME"])))
