"""authlib and requests-oauthlib: the authorization code with PKCE, remembered consent, pushed requests, refusals."""

import os
from urllib.parse import parse_qs, urlencode, urlsplit

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # The server is on this machine.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet
from requests_oauthlib import OAuth2Session as RequestsOAuth2Session

from journey import ISSUER, PATIENCE, PERSON, Person, advance, discover, introspect, keys

metadata = discover("openid-configuration")
assert metadata["authorization_endpoint"] == f"{ISSUER}/authorize"
assert metadata["response_types_supported"] == ["code"]
assert metadata["code_challenge_methods_supported"] == ["S256"]
SHOP = ("shop", os.environ["JOURNEY_SHOP_SECRET"])
DONE = "https://shop.example.com/done"


def answer(location):
    """The parameters of a redirect, each once."""
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query, strict_parsing=True).items()}


def shop():
    return OAuth2Session(
        *SHOP,
        scope="openid profile",
        redirect_uri=DONE,
        code_challenge_method="S256",
        token_endpoint=metadata["token_endpoint"],
        default_timeout=PATIENCE,
    )


person = Person()

# The person approves; the code is worth tokens, whose signature and nonce are verified by another library.
session, verifier, nonce = shop(), generate_token(64), generate_token()
address, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
)
location = person.authorize(address)
assert location.startswith(f"{DONE}?"), location
assert answer(location)["iss"] == ISSUER, location
tokens = session.fetch_token(authorization_response=location, state=state, code_verifier=verifier)
assert set(tokens["scope"].split()) == {"openid", "profile"}, tokens
claims = jwt.decode(tokens["id_token"], KeySet.import_key_set(keys(metadata))).claims
assert (claims["aud"], claims["sub"], claims["nonce"]) == ("shop", PERSON["subject"], nonce), claims
assert introspect(metadata, tokens["access_token"])["active"]

# A second time nobody is asked; a code that is used twice ends what it gave.
again, verifier = shop(), generate_token(64)
address, state = again.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
location = person.browser.get(address, timeout=PATIENCE, allow_redirects=False).headers["location"]
second = again.fetch_token(authorization_response=location, state=state, code_verifier=verifier)
advance(1)
try:
    shop().fetch_token(code=answer(location)["code"], code_verifier=verifier, grant_type="authorization_code")
    raise AssertionError("a code was good twice")
except OAuthError as refusal:
    assert refusal.error == "invalid_grant", refusal
assert not introspect(metadata, second["access_token"])["active"]
assert introspect(metadata, tokens["access_token"])["active"]

# A request that was pushed beforehand.
verifier = generate_token(64)
query = urlsplit(shop().create_authorization_url("https://x", code_verifier=verifier)[0]).query
pushed = requests.post(
    metadata["pushed_authorization_request_endpoint"],
    data={name: values[0] for name, values in parse_qs(query).items()},
    auth=SHOP,
    timeout=PATIENCE,
)
assert pushed.status_code == 201, pushed.text
named = urlencode({"client_id": "shop", "request_uri": pushed.json()["request_uri"]})
location = person.authorize(f"{metadata['authorization_endpoint']}?{named}")
assert shop().fetch_token(authorization_response=location, code_verifier=verifier)["access_token"]

# A program on the person's machine, by requests-oauthlib: any port, always asked, and denied.
for decision in ["deny", "approve"]:
    program = RequestsOAuth2Session(
        "desktop", scope=["openid"], redirect_uri="http://127.0.0.1:40001/done", pkce="S256"
    )
    address, state = program.authorization_url(metadata["authorization_endpoint"])
    location = person.authorize(address, decision)
    if decision == "deny":
        assert answer(location)["error"] == "access_denied", location
        assert answer(location)["state"] == state, location
    else:
        tokens = program.fetch_token(
            metadata["token_endpoint"], authorization_response=location, include_client_id=True
        )
        assert tokens["refresh_token"], tokens
