"""idpyoidc: a relying party that finds the server by its metadata, signs in by PKCE, and knows who it is."""

import os
import tempfile
from urllib.parse import parse_qs, urlsplit

from idpyoidc.client.rp_handler import RPHandler

from journey import ISSUER, PATIENCE, PERSON, Person

DONE = "https://shop.example.com/done"
SERVICES = {
    "discovery": {"class": "idpyoidc.client.oidc.provider_info_discovery.ProviderInfoDiscovery"},
    "authorization": {"class": "idpyoidc.client.oidc.authorization.Authorization"},
    "accesstoken": {"class": "idpyoidc.client.oidc.access_token.AccessToken"},
    "userinfo": {"class": "idpyoidc.client.oidc.userinfo.UserInfo"},
    "refresh_accesstoken": {"class": "idpyoidc.client.oidc.refresh_access_token.RefreshAccessToken"},
}


def relying_party(redirect_uri=DONE):
    return RPHandler(
        base_url="https://shop.example.com",
        client_configs={
            "server": {
                "issuer": ISSUER,
                "client_id": "shop",
                "client_secret": os.environ["JOURNEY_SHOP_SECRET"],
                "client_type": "oidc",
                "redirect_uris": [redirect_uri],
                "response_types_supported": ["code"],
                "scopes_supported": ["openid", "profile"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                "allow": {"issuer_mismatch": False},
                "add_ons": {
                    "pkce": {
                        "function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                        "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"},
                    }
                },
                "services": SERVICES,
            }
        },
        httpc_params={"timeout": PATIENCE},
    )


def answer(location):
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query, strict_parsing=True).items()}


# It writes keys of its own where it stands.
place = tempfile.TemporaryDirectory()
os.chdir(place.name)
person = Person()
party = relying_party()
address = party.begin(issuer_id="server")
asked = answer(address)
assert asked["code_challenge_method"] == "S256", asked
location = person.authorize(address)
assert location.startswith(f"{DONE}?"), location
signed_in = party.finalize(ISSUER, answer(location))
assert "error" not in signed_in, signed_in
# It has verified signature, issuer, audience and nonce of the ID token, and asked /userinfo.
assert signed_in["id_token"]["sub"] == PERSON["subject"], signed_in
assert signed_in["id_token"]["nonce"] == asked["nonce"], signed_in
assert signed_in["userinfo"]["name"] == PERSON["name"], signed_in

# The person denies.
party = relying_party()
location = person.authorize(f"{party.begin(issuer_id='server')}&prompt=consent", "deny")
refused = party.finalize(ISSUER, answer(location))
assert refused["error"] == "access_denied", refused
