"""A mail relay, which answers each mail as it was told; what came is read by Python's own library for mails.

It prints its port, and of each mail a line of JSON: the answer, the envelope, the head and the two forms of the words.
"""

import asyncio
import email
import email.policy
import html.parser
import json
import os

from aiosmtpd.smtp import SMTP

# The answer for each mail, the last one for all that follow; "receiver 550" refuses the receiver before the mail comes.
ANSWERS = os.environ["JOURNEY_ANSWERS"].split(",")
WORDS = {"250": "250 OK", "451": "451 4.7.1 Greylisted, try again later", "550": "550 5.1.1 There is no such mailbox"}


class Page(html.parser.HTMLParser):
    """The language, the links and the words of a page."""

    def __init__(self, text):
        super().__init__()
        self.language, self.links, self.words, self.styles = None, [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "html":
            self.language = attributes.get("lang")
        if tag == "a":
            self.links.append(attributes["href"])
        self.styles.append(attributes.get("style", ""))

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())


def mailbox(field):
    (address,) = field.addresses
    return {"name": address.display_name, "address": address.addr_spec}


def read(content):
    """The members of a mail; a mail that is not as the standards have it ends the program."""
    content.decode("ascii")
    assert all(len(line) <= 78 for line in content.split(b"\r\n")), content
    message = email.message_from_bytes(content, policy=email.policy.SMTP)
    for part in message.walk():
        assert not part.defects, (part.defects, content)
        for name, field in part.items():
            assert not getattr(field, "defects", ()), (name, field.defects)
    names = [name.lower() for name in message]
    assert len(names) == len(set(names)), names
    assert message["mime-version"] == "1.0", message["mime-version"]
    assert message.get_content_type() == "multipart/alternative", message.get_content_type()
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"], content
    markup = message.get_body(("html",)).get_content()
    page = Page(markup)
    return {
        "from": mailbox(message["from"]),
        "to": mailbox(message["to"]),
        "subject": str(message["subject"]),
        "message_id": str(message["message-id"]),
        "date": message["date"].datetime.timestamp(),
        "content_language": str(message["content-language"]),
        "auto_submitted": str(message["auto-submitted"]),
        "text": message.get_body(("plain",)).get_content().replace("\r\n", "\n"),
        "language": page.language,
        "links": page.links,
        "words": page.words,
        "styles": page.styles,
        "source": content.decode("ascii"),
    }


class Relay:
    def __init__(self):
        self.answers = list(ANSWERS)

    def answer(self):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.answers[0].startswith("receiver "):
            return WORDS[self.answer().removeprefix("receiver ")]
        envelope.rcpt_tos.append(address)
        return WORDS["250"]

    async def handle_DATA(self, server, session, envelope):
        answer = self.answer()
        mail = read(envelope.original_content)
        mail.update(answer=int(answer), sender=envelope.mail_from, receivers=envelope.rcpt_tos)
        print(json.dumps(mail), flush=True)
        return WORDS[answer]


async def main():
    relay = Relay()
    listener = await asyncio.get_running_loop().create_server(
        lambda: SMTP(relay, hostname="relay.example", enable_SMTPUTF8=True), "127.0.0.1", 0
    )
    print(f"port {listener.sockets[0].getsockname()[1]}", flush=True)
    await listener.serve_forever()


asyncio.run(main())
