"""requests-oauthlib: the device flow by its DeviceClient; approved, denied, and too late."""

import os
import threading

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # The server is on this machine.

from oauthlib.oauth2 import DeviceClient, OAuth2Error
from requests_oauthlib import OAuth2Session

from journey import PATIENCE, PERSON, Person, advance, discover, introspect

metadata = discover("openid-configuration")
SCOPE = ["openid", "profile"]


def screen():
    session = OAuth2Session(
        client=DeviceClient("terminal", scope=SCOPE),
        auto_refresh_url=metadata["token_endpoint"],
        auto_refresh_kwargs={"client_id": "terminal"},
        token_updater=lambda token: None,
    )
    codes = session.post(
        metadata["device_authorization_endpoint"],
        data={"client_id": "terminal", "scope": " ".join(SCOPE), "device_name": "requests-oauthlib"},
        withhold_token=True,
        timeout=PATIENCE,
    )
    assert codes.headers["cache-control"] == "no-store", codes.headers
    return session, codes.json()


def poll(session, codes, **headers):
    return session.fetch_token(
        metadata["token_endpoint"],
        device_code=codes["device_code"],
        include_client_id=True,
        timeout=PATIENCE,
        headers={"Accept": "application/json", **headers},
    )


def refused(act, *arguments):
    try:
        act(*arguments)
    except OAuth2Error as refusal:
        return refusal.error
    raise AssertionError("it was not refused")


# Approved: pending, then tokens, which are renewed.
session, codes = screen()
assert refused(poll, session, codes) == "authorization_pending"
person = Person()
person.approve(codes["user_code"])
tokens = poll(session, codes)
assert sorted(tokens["scope"]) == SCOPE, tokens
assert session.get(metadata["userinfo_endpoint"], timeout=PATIENCE).json()["name"] == PERSON["name"]
renewed = session.refresh_token(metadata["token_endpoint"], client_id="terminal", timeout=PATIENCE)
assert renewed["refresh_token"] != tokens["refresh_token"]
assert introspect(metadata, renewed["access_token"])["active"]
gone = session.post(
    metadata["revocation_endpoint"],
    data={"token": renewed["access_token"], "client_id": "terminal"},
    withhold_token=True,
    timeout=PATIENCE,
)
assert gone.status_code == 200, gone.text
assert not introspect(metadata, renewed["access_token"])["active"]
assert session.get(metadata["userinfo_endpoint"], timeout=PATIENCE).status_code == 401

# Denied.
session, codes = screen()
person.deny(codes["user_code"])
assert refused(poll, session, codes) == "access_denied"

# Too late.
session, codes = screen()
advance(codes["expires_in"])
assert refused(poll, session, codes) == "expired_token"

# Held open: the answer comes with the decision, and no time passes at the server.
session, codes = screen()
brought = []
waiting = threading.Thread(target=lambda: brought.append(poll(session, codes, Prefer="wait=20")))
waiting.start()
person.approve(codes["user_code"])
waiting.join(PATIENCE)
assert brought and brought[0]["access_token"], "the held request was not answered"
print("requests-oauthlib is content")
