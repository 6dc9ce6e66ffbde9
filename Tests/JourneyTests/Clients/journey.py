"""What the programs here share: who takes part, the time, and a person at the server's pages."""

import html
import os
import re
import sys

import requests

ISSUER = os.environ["JOURNEY_ISSUER"]
AUDIENCE = os.environ["JOURNEY_AUDIENCE"]
PERSON = {
    "username": os.environ["JOURNEY_USERNAME"],
    "password": os.environ["JOURNEY_PASSWORD"],
    "name": os.environ["JOURNEY_NAME"],
    "subject": os.environ["JOURNEY_SUBJECT"],
}
BACKEND_SECRET = os.environ["JOURNEY_BACKEND_SECRET"]
API_SECRET = os.environ["JOURNEY_API_SECRET"]

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
PATIENCE = 120


def advance(seconds):
    """Lets time pass at the server, which stands still otherwise."""
    print(f"advance {seconds}", flush=True)
    if sys.stdin.readline() != "advanced\n":
        raise SystemExit("nobody moves the clock")


def discover(document="oauth-authorization-server"):
    answer = requests.get(f"{ISSUER}/.well-known/{document}", timeout=PATIENCE)
    answer.raise_for_status()
    assert answer.headers["content-type"] == "application/json", answer.headers
    metadata = answer.json()
    assert metadata["issuer"] == ISSUER, metadata
    return metadata


def keys(metadata):
    answer = requests.get(metadata["jwks_uri"], timeout=PATIENCE)
    answer.raise_for_status()
    return answer.json()


def introspect(metadata, token, client=("api", API_SECRET)):
    answer = requests.post(metadata["introspection_endpoint"], data={"token": token}, auth=client, timeout=PATIENCE)
    answer.raise_for_status()
    return answer.json()


class Person:
    """Somebody with an account, at the real pages: follows links, fills in forms, keeps a cookie."""

    def __init__(self):
        self.browser = requests.Session()
        page = self._get(f"{ISSUER}/login")
        page = self._submit(page, "/login", username=PERSON["username"], password=PERSON["password"])
        assert "Where you are signed in" in page.text, page.text

    def approve(self, user_code):
        page = self._answer(user_code, "approve")
        assert "Approved" in page.text, page.text

    def deny(self, user_code):
        page = self._answer(user_code, "deny")
        assert "Denied" in page.text, page.text

    def authorize(self, address, decision="approve"):
        """Opens /authorize, answers if there is a question, and returns the address to which the browser is sent."""
        page = self.browser.get(address, timeout=PATIENCE, allow_redirects=False)
        if page.status_code == 200:
            assert "Approve this sign-in?" in page.text, page.text
            asked = html.unescape(re.search(r'name="authorization" value="([^"]+)"', page.text).group(1))
            token = re.search(r'name="form_token" value="([^"]+)"', page.text).group(1)
            page = self.browser.post(
                f"{ISSUER}/authorize/decision",
                data={"form_token": token, "authorization": asked, "decision": decision},
                timeout=PATIENCE,
                allow_redirects=False,
            )
        assert page.status_code == 303, (page.status_code, page.text)
        return page.headers["location"]

    def question(self):
        """The page that shows what an app asks that named this person; None when none does."""
        page = self._get(f"{ISSUER}/account")
        found = re.search(r'name="request" value="([^"]+)"', page.text)
        if not found:
            return None
        return self._submit(page, "/activate", request=found.group(1))

    def answer_question(self, decision, message):
        page = self.question()
        assert "Approve this sign-in?" in page.text and message in page.text, page.text
        asked = re.search(r'name="request" value="([^"]+)"', page.text).group(1)
        page = self._submit(page, "/activate/decision", request=asked, decision=decision)
        assert ("Approved" if decision == "approve" else "Denied") in page.text, page.text

    def _answer(self, user_code, decision):
        page = self._submit(self._get(f"{ISSUER}/activate"), "/activate", user_code=user_code)
        assert "Approve this sign-in?" in page.text, page.text
        return self._submit(page, "/activate/decision", user_code=user_code, decision=decision)

    def _get(self, address):
        page = self.browser.get(address, timeout=PATIENCE)
        page.raise_for_status()
        return page

    def _submit(self, page, path, **fields):
        token = re.search(r'name="form_token" value="([^"]+)"', page.text).group(1)
        answer = self.browser.post(f"{ISSUER}{path}", data={"form_token": token, **fields}, timeout=PATIENCE)
        answer.raise_for_status()
        return answer
