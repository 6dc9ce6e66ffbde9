"""joserfc: proofs of possession for codes, refresh tokens and a resource, and a second opinion on a proof of ours."""

import base64
import hashlib
import os
import time
import uuid
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from journey import PATIENCE, PERSON, Person, discover, introspect, keys

metadata = discover("openid-configuration")
assert "ES256" in metadata["dpop_signing_alg_values_supported"], metadata
BACK = "com.example.recipes:/signed-in"


def ath(token):
    return base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()


def proof(key, method, url, token=None, **more):
    # The server's clock stands still a minute behind. A proof may be two minutes old there, and one from the future.
    claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time()) - 150, **more}
    if token:
        claims["ath"] = ath(token)
    header = {"alg": "ES256", "typ": "dpop+jwt", "jwk": key.as_dict(private=False)}
    return jwt.encode(header, claims, key)


def redeem(form, proof_text):
    headers = {"DPoP": proof_text} if proof_text else {}
    return requests.post(
        metadata["token_endpoint"], data={"client_id": "recipes", **form}, headers=headers, timeout=PATIENCE
    )


# A proof of ours, by the library's own key from its header.
ours = os.environ["JOURNEY_PROOF"]
header = jwt.decode(ours, lambda token: ECKey.import_key(token.headers()["jwk"])).header
assert (header["typ"], header["alg"]) == ("dpop+jwt", "ES256"), header
assert "d" not in header["jwk"], header
assert ECKey.import_key(header["jwk"]).thumbprint() == os.environ["JOURNEY_THUMBPRINT"], header
claims = jwt.decode(ours, ECKey.import_key(header["jwk"])).claims
assert (claims["htm"], claims["htu"]) == ("GET", "https://api.example.com/stations"), claims
assert (claims["ath"], claims["nonce"]) == (ath(os.environ["JOURNEY_TOKEN"]), "a-nonce"), claims

# A code that is bound to a key by dpop_jkt; another key gets nothing.
person, key, other = Person(), ECKey.generate_key("P-256"), ECKey.generate_key("P-256")
verifier = generate_token(64)
query = urlencode(
    {
        "response_type": "code",
        "client_id": "recipes",
        "redirect_uri": BACK,
        "scope": "openid profile",
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
        "dpop_jkt": key.thumbprint(),
    }
)
location = person.authorize(f"{metadata['authorization_endpoint']}?{query}")
form = {
    "grant_type": "authorization_code",
    "code": parse_qs(urlsplit(location).query)["code"][0],
    "redirect_uri": BACK,
    "code_verifier": verifier,
}
url = metadata["token_endpoint"]
refused = redeem(form, proof(other, "POST", url))
assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant"), refused.text
first = proof(key, "POST", url)
tokens = redeem(form, first).json()
assert tokens["token_type"] == "DPoP", tokens
access = jwt.decode(tokens["access_token"], KeySet.import_key_set(keys(metadata)))
assert access.claims["cnf"] == {"jkt": key.thumbprint()}, access.claims
told = introspect(metadata, tokens["access_token"])
assert (told["active"], told["token_type"], told["cnf"]) == (True, "DPoP", {"jkt": key.thumbprint()}), told

# The resource: by a proof for this token, method and address, once.
url = metadata["userinfo_endpoint"]


def userinfo(proof_text, scheme="DPoP"):
    headers = {"Authorization": f"{scheme} {tokens['access_token']}"}
    if proof_text:
        headers["DPoP"] = proof_text
    return requests.get(url, headers=headers, timeout=PATIENCE)


good = proof(key, "GET", url, tokens["access_token"])
answer = userinfo(good)
assert (answer.status_code, answer.json()["sub"]) == (200, PERSON["subject"]), answer.text
for bad in [
    good,
    None,
    proof(other, "GET", url, tokens["access_token"]),
    proof(key, "POST", url, tokens["access_token"]),
    proof(key, "GET", url + "x", tokens["access_token"]),
    proof(key, "GET", url, "another token"),
    proof(key, "GET", url),
    proof(key, "GET", url, tokens["access_token"], iat=int(time.time()) - 3600),
]:
    refused = userinfo(bad)
    assert refused.status_code == 401, (bad, refused.text)
    assert "DPoP" in refused.headers["WWW-Authenticate"], refused.headers
assert userinfo(None, "Bearer").status_code == 401
assert userinfo(good, "Bearer").status_code == 401

# The refresh token is bound to the same key; a proof is used once, and a wrong one ends nothing.
url = metadata["token_endpoint"]
refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
for bad in [None, proof(other, "POST", url), first]:
    refused = redeem(refresh, bad)
    assert refused.status_code == 400, refused.text
renewed = redeem(refresh, proof(key, "POST", url)).json()
assert renewed["token_type"] == "DPoP", renewed
assert renewed["refresh_token"] != tokens["refresh_token"]
