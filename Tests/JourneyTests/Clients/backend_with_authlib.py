"""authlib with a secret: both ways of proving it, tokens of the client's own, introspection, revocation."""

import os

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # The server is on this machine.

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from journey import API_SECRET, BACKEND_SECRET, DEVICE_CODE, PATIENCE, PERSON, Person, discover, introspect

metadata = discover()


def backend(method, secret=BACKEND_SECRET, client="backend"):
    return OAuth2Session(
        client,
        secret,
        token_endpoint_auth_method=method,
        revocation_endpoint_auth_method=method,
        token_endpoint=metadata["token_endpoint"],
        default_timeout=PATIENCE,
    )


def refused(act, *arguments, **named):
    try:
        act(*arguments, **named)
    except OAuthError as refusal:
        return refusal.error, refusal.description
    raise AssertionError("it was not refused")


for method in ["client_secret_basic", "client_secret_post"]:
    assert method in metadata["token_endpoint_auth_methods_supported"]
    client = backend(method)

    # For itself: no refresh token, no person.
    own = client.fetch_token(grant_type="client_credentials", scope="programmes")
    assert own["scope"] == "programmes" and "refresh_token" not in own and "id_token" not in own, own
    described = client.introspect_token(metadata["introspection_endpoint"], token=own["access_token"]).json()
    assert described["active"] and described["sub"] == "backend" and "username" not in described, described
    assert client.get(metadata["userinfo_endpoint"]).status_code == 401

    # In the name of a person.
    sign = (lambda session: {"auth": session.client_auth(method)}) if method else None
    codes = client.post(
        metadata["device_authorization_endpoint"],
        data={"scope": "openid programmes"},
        withhold_token=True,
        **sign(client),
    ).json()
    Person().approve(codes["user_code"])
    tokens = dict(client.fetch_token(grant_type=DEVICE_CODE, device_code=codes["device_code"]))
    described = client.introspect_token(metadata["introspection_endpoint"], token=tokens["refresh_token"]).json()
    assert described["active"] and described["username"] == PERSON["username"], described
    # Of a refresh token only its own client learns anything; the resource server does not.
    assert introspect(metadata, tokens["refresh_token"]) == {"active": False}
    assert introspect(metadata, tokens["access_token"])["active"]

    answer = client.revoke_token(metadata["revocation_endpoint"], token=tokens["access_token"])
    assert answer.status_code == 200, answer.text
    assert not introspect(metadata, tokens["access_token"])["active"]
    renewed = dict(client.refresh_token(refresh_token=tokens["refresh_token"]))
    assert introspect(metadata, renewed["access_token"])["active"]
    client.revoke_token(metadata["revocation_endpoint"], token=renewed["refresh_token"])
    assert not introspect(metadata, renewed["access_token"])["active"]
    assert client.revoke_token(metadata["revocation_endpoint"], token="unknown").status_code == 200

    # A wrong secret and an unknown client are answered alike.
    wrong = refused(backend(method, "wrong").fetch_token, grant_type="client_credentials")
    nobody = refused(backend(method, "wrong", "nobody").fetch_token, grant_type="client_credentials")
    assert wrong == nobody and wrong[0] == "invalid_client", (wrong, nobody)

    # More than it is registered for.
    assert refused(client.fetch_token, grant_type="client_credentials", scope="admin")[0] == "invalid_scope"
    api = backend(method, API_SECRET, "api")
    assert refused(api.fetch_token, grant_type="client_credentials")[0] == "unauthorized_client"
    assert refused(client.fetch_token, grant_type="password")[0] == "unsupported_grant_type"

print("authlib is content")
