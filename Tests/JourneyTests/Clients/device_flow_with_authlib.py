"""authlib: discovery, the device flow as a public client, refresh with rotation and reuse, userinfo, revocation."""

import os

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # The server is on this machine.

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oidc.discovery import OpenIDProviderMetadata

from journey import DEVICE_CODE, ISSUER, PATIENCE, PERSON, Person, advance, discover, introspect


def refused(act, *arguments, **named):
    """What the server says when it refuses; not to be refused is a failure."""
    try:
        act(*arguments, **named)
    except OAuthError as refusal:
        return refusal.error
    raise AssertionError(f"{act.__name__} was not refused")


# Both documents say the same, and authlib finds nothing missing.
metadata = discover()
described = AuthorizationServerMetadata(metadata)
for name in described.REGISTRY_KEYS:
    getattr(described, f"validate_{name}")()
assert discover("openid-configuration") == metadata
provider = OpenIDProviderMetadata(metadata)
provider.validate()
assert metadata["authorization_endpoint"] == f"{ISSUER}/authorize"

screen = OAuth2Session(
    "radio",
    scope="openid profile",
    token_endpoint_auth_method="none",
    revocation_endpoint_auth_method="none",
    token_endpoint=metadata["token_endpoint"],
    default_timeout=PATIENCE,
)


def poll(code, **named):
    return screen.fetch_token(grant_type=DEVICE_CODE, device_code=code, **named)


codes = screen.post(
    metadata["device_authorization_endpoint"],
    data={"client_id": "radio", "scope": "openid profile", "device_name": "authlib"},
    withhold_token=True,
).json()
assert codes["verification_uri"] == f"{ISSUER}/activate", codes
assert codes["verification_uri_complete"] == f"{ISSUER}/activate?user_code={codes['user_code']}", codes
assert (codes["expires_in"], codes["interval"]) == (300, 5), codes

# Who asks too fast has to wait five seconds longer, and is told so again if they don't.
assert refused(poll, codes["device_code"]) == "authorization_pending"
advance(2)
assert refused(poll, codes["device_code"]) == "slow_down"
advance(5)
assert refused(poll, codes["device_code"]) == "slow_down"
advance(15)
assert refused(poll, codes["device_code"]) == "authorization_pending"
assert refused(poll, "no-such-code") == "invalid_grant"

Person().approve(codes["user_code"])
first = dict(poll(codes["device_code"]))
assert first["token_type"] == "Bearer" and first["scope"] == "openid profile", first
assert first["expires_in"] == 300, first
# Asked again, as after a lost answer, it brings the same tokens until one of them is used.
for seconds in (0, 10):
    advance(seconds)
    again = dict(poll(codes["device_code"]))
    assert again["access_token"] == first["access_token"] and again["refresh_token"] == first["refresh_token"], again

described = introspect(metadata, first["access_token"])
assert described["active"] and described["client_id"] == "radio" and described["sub"] == PERSON["subject"], described
assert described["username"] == PERSON["username"] and described["scope"] == "openid profile", described

screen.token = first
who = screen.get(metadata["userinfo_endpoint"])
assert who.status_code == 200, who.text
assert who.json()["sub"] == PERSON["subject"] and who.json()["name"] == PERSON["name"], who.json()
assert who.json()["preferred_username"] == PERSON["username"], who.json()
assert refused(poll, codes["device_code"]) == "invalid_grant"

# Each refresh token is good once; repeated within seconds, as after a lost answer, it brings the same successor.
second = dict(screen.refresh_token(refresh_token=first["refresh_token"]))
assert second["refresh_token"] != first["refresh_token"], "the refresh token was not rotated"
again = dict(screen.refresh_token(refresh_token=first["refresh_token"]))
assert again["refresh_token"] == second["refresh_token"] and again["access_token"] == second["access_token"]
narrower = dict(screen.refresh_token(refresh_token=second["refresh_token"], scope="openid"))
assert narrower["scope"] == "openid", narrower
third = dict(screen.refresh_token(refresh_token=narrower["refresh_token"]))
assert third["scope"] == "openid profile", third

# Later it was stolen: everything that came from it ends.
advance(11)
assert refused(screen.refresh_token, refresh_token=first["refresh_token"]) == "invalid_grant"
assert refused(screen.refresh_token, refresh_token=third["refresh_token"]) == "invalid_grant"
for tokens in (first, second, narrower, third):
    assert introspect(metadata, tokens["access_token"]) == {"active": False}
screen.token = third
who = screen.get(metadata["userinfo_endpoint"])
assert who.status_code == 401 and 'error="invalid_token"' in who.headers["www-authenticate"], who.headers

# A screen gives its tokens back: the refresh token takes the access token with it.
codes = screen.post(
    metadata["device_authorization_endpoint"], data={"client_id": "radio", "scope": "openid"}, withhold_token=True
).json()
Person().approve(codes["user_code"])
tokens = dict(poll(codes["device_code"]))
assert introspect(metadata, tokens["access_token"])["active"]
answer = screen.revoke_token(
    metadata["revocation_endpoint"],
    token=tokens["refresh_token"],
    token_type_hint="refresh_token",
)
assert answer.status_code == 200, answer.text
assert introspect(metadata, tokens["access_token"]) == {"active": False}
assert refused(screen.refresh_token, refresh_token=tokens["refresh_token"]) == "invalid_grant"
print("authlib is content")
