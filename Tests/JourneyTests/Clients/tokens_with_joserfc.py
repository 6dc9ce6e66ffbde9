"""joserfc and authlib: every JWT of the server verifies against /jwks, and no forged one does."""

import warnings

import requests
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidClaimError, JoseError
from joserfc.jwk import ECKey, KeySet

from authlib.deprecate import AuthlibDeprecationWarning

warnings.simplefilter("ignore", AuthlibDeprecationWarning)  # authlib.jose is on its way out; until then people use it.

from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oauth2.rfc6750.errors import InvalidTokenError
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from authlib.oidc.core import CodeIDToken

from journey import AUDIENCE, BACKEND_SECRET, DEVICE_CODE, ISSUER, PATIENCE, PERSON, Person, discover, keys

metadata = discover()
published = keys(metadata)
key_set = KeySet.import_key_set(published)
person = Person()

for key in published["keys"]:
    assert key["use"] == "sig" and key["kid"] and key["alg"] in ("ES256", "RS256"), key
    assert not set(key) & {"d", "p", "q", "dp", "dq", "qi"}, "a private key is published"
assert {key["alg"] for key in published["keys"]} == {"ES256", "RS256"}, published
assert set(metadata["id_token_signing_alg_values_supported"]) == {"ES256", "RS256"}


def sign_in(client):
    asked = {"client_id": client, "scope": "openid profile"}
    codes = requests.post(metadata["device_authorization_endpoint"], data=asked, timeout=PATIENCE).json()
    person.approve(codes["user_code"])
    redeemed = {"client_id": client, "grant_type": DEVICE_CODE, "device_code": codes["device_code"]}
    answer = requests.post(metadata["token_endpoint"], data=redeemed, timeout=PATIENCE)
    answer.raise_for_status()
    return answer.json()


class ResourceServer(JWTBearerTokenValidator):
    """As authlib protects a resource server by RFC 9068."""

    def get_jwks(self):
        return published


def honoured(token, audience=AUDIENCE):
    server = ResourceServer(issuer=ISSUER, resource_server=audience)
    claims = server.authenticate_token(token)
    server.validate_token(claims, ["profile"], None)
    return claims


def fails(kind, act, *arguments):
    try:
        act(*arguments)
    except kind:
        return
    raise AssertionError(f"{act.__name__} found nothing wrong")


for client, algorithm in [("radio", "ES256"), ("terminal", "RS256")]:
    tokens = sign_in(client)

    # The access token, by both libraries.
    access = jwt.decode(tokens["access_token"], key_set, algorithms=[algorithm])
    assert access.header["typ"] == "at+jwt" and access.header["alg"] == algorithm, access.header
    jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": ISSUER},
        aud={"essential": True, "value": AUDIENCE},
        sub={"essential": True, "value": PERSON["subject"]},
        client_id={"essential": True, "value": client},
        scope={"essential": True, "value": "openid profile"},
        exp={"essential": True},
        iat={"essential": True},
        jti={"essential": True},
        auth_time={"essential": True},
    ).validate(access.claims)
    assert access.claims["exp"] - access.claims["iat"] == 300, access.claims
    assert honoured(tokens["access_token"])["sub"] == PERSON["subject"]

    # The ID token, by both libraries.
    identity = jwt.decode(tokens["id_token"], key_set, algorithms=[algorithm])
    assert identity.header["alg"] == algorithm and identity.header["kid"] == access.header["kid"], identity.header
    registry = jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": ISSUER},
        aud={"essential": True, "value": client},
        sub={"essential": True, "value": PERSON["subject"]},
        name={"essential": True, "value": PERSON["name"]},
        preferred_username={"essential": True, "value": PERSON["username"]},
        amr={"essential": True, "value": ["pwd"]},
        exp={"essential": True},
        iat={"essential": True},
    )
    registry.validate(identity.claims)
    claims = JsonWebToken([algorithm]).decode(
        tokens["id_token"],
        JsonWebKey.import_key_set(published),
        claims_cls=CodeIDToken,
        claims_options={"iss": {"essential": True, "value": ISSUER}, "aud": {"essential": True, "value": client}},
        claims_params={"client_id": client},
    )
    claims.validate()
    assert claims["auth_time"] <= claims["iat"]

    # An ID token is no access token, and another's audience is not ours.
    fails(InvalidTokenError, honoured, tokens["id_token"])
    fails(InvalidTokenError, honoured, tokens["access_token"], "https://another.example.com")

    # What was changed, and what another key signed, verifies nowhere.
    header, payload, signature = tokens["access_token"].split(".")
    other = "B" if signature[20] != "B" else "C"
    forged = f"{header}.{payload}.{signature[:20]}{other}{signature[21:]}"
    fails(BadSignatureError, jwt.decode, forged, key_set, [algorithm])
    fails(InvalidTokenError, honoured, forged)
    stranger = ECKey.generate_key("P-256")
    made_up = jwt.encode({**access.header, "alg": "ES256"}, access.claims, stranger, ["ES256"])
    fails((BadSignatureError, JoseError, ValueError), jwt.decode, made_up, key_set, [algorithm])
    fails(InvalidClaimError, jwt.JWTClaimsRegistry(iss={"value": "https://elsewhere"}).validate, access.claims)

# A client's own token is signed by the same keys.
answer = requests.post(
    metadata["token_endpoint"],
    data={"grant_type": "client_credentials", "scope": "programmes"},
    auth=("backend", BACKEND_SECRET),
    timeout=PATIENCE,
)
own = jwt.decode(answer.json()["access_token"], key_set, algorithms=["ES256"])
assert own.claims["sub"] == own.claims["client_id"] == "backend" and "auth_time" not in own.claims, own.claims

# An opaque token is no JWT.
opaque = sign_in("tv")
assert opaque["access_token"].count(".") == 0 and len(opaque["access_token"]) >= 43
assert jwt.decode(opaque["id_token"], key_set, algorithms=["ES256"]).claims["name"] == PERSON["name"]
print("joserfc is content")
