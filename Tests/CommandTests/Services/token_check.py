"""What the services beside the tests share: they accept a token that the server knows."""

import base64
import os
import urllib.error
import urllib.request

ISSUER = os.environ["ISSUER"]
# Tokens that are refused although the server knows them, one in each line.
REFUSED = os.environ.get("REFUSED", "")


def presented(header, scheme):
    """The token of an Authorization header, by its scheme; None for another one, or another user name than OAuth's."""
    name, _, value = (header or "").partition(" ")
    if name.lower() != scheme.lower():
        return None
    if scheme.lower() == "bearer":
        return value
    username, _, password = base64.b64decode(value).decode().partition(":")
    return password if username == "oauth2" else None


def is_good(token):
    """Whether the server knows whose access token it is."""
    if REFUSED and os.path.exists(REFUSED):
        with open(REFUSED, encoding="utf-8") as refused:
            if token in refused.read().split():
                return False
    request = urllib.request.Request(f"{ISSUER}/userinfo", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status == 200
    except urllib.error.HTTPError:
        return False
