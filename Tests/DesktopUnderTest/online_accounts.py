"""A service that answers as GNOME Online Accounts does: online_accounts.py ADDRESS STATE

ADDRESS is that of a bus. STATE is a file of JSON, read again at each call:

    {"accounts": [{"id", "provider", "name", "kind": "oauth1" | "oauth2" | "password", "key", "secret", "token",
                   "token_secret", "renewed", "attention", "temporary"}],
     "supported": [provider], "faults": {METHOD: ERROR | "hang" | "nonsense" | "empty"}}

METHOD is Interface.Method, without what all interfaces begin with. EnsureCredentials puts `renewed` in place of `token`.
Each call is printed, as METHOD.
"""

import asyncio
import json
import sys

from dbus_next import Message, MessageType, Variant
from dbus_next.aio import MessageBus

SERVICE = "org.gnome.OnlineAccounts"
ROOT = "/org/gnome/OnlineAccounts"
UNKNOWN_OBJECT = "org.freedesktop.DBus.Error.UnknownObject"
UNKNOWN_METHOD = "org.freedesktop.DBus.Error.UnknownMethod"


class Service:
    def __init__(self, state):
        self.file = state
        self.renewed = {}

    def state(self):
        with open(self.file, encoding="utf-8") as file:
            return json.load(file)

    def handle(self, message):
        if message.message_type != MessageType.METHOD_CALL or not (message.path or "").startswith(ROOT):
            return None
        method = f"{message.interface.split('.')[-1]}.{message.member}"
        print(method, flush=True)
        state = self.state()
        fault = state.get("faults", {}).get(method)
        if fault == "hang":
            return True
        if fault == "nonsense":
            return Message.new_method_return(message, "a{sv}", [{"number": Variant("d", 0.5)}])
        if fault == "empty":
            return Message.new_method_return(message)
        if fault:
            return Message.new_error(message, fault, "secret words of the service")
        if method == "ObjectManager.GetManagedObjects" and message.path == ROOT:
            return Message.new_method_return(message, "a{oa{sa{sv}}}", [self.objects(state)])
        if method == "Manager.IsSupportedProvider" and message.path == f"{ROOT}/Manager":
            return Message.new_method_return(message, "b", [message.body[0] in state.get("supported", [])])
        return self.of_account(message, method, state)

    def of_account(self, message, method, state):
        for account in state["accounts"]:
            if message.path != self.path(account):
                continue
            token = self.renewed.get(account["id"], account.get("token", ""))
            if method == "Account.EnsureCredentials":
                if "renewed" in account:
                    self.renewed[account["id"]] = account["renewed"]
                return Message.new_method_return(message, "i", [3600])
            if method == "OAuth2Based.GetAccessToken" and account["kind"] == "oauth2":
                return Message.new_method_return(message, "si", [token, 3600])
            if method == "OAuthBased.GetAccessToken" and account["kind"] == "oauth1":
                return Message.new_method_return(message, "ssi", [token, account["token_secret"], 0])
            return Message.new_error(message, UNKNOWN_METHOD, method)
        return Message.new_error(message, UNKNOWN_OBJECT, message.path)

    def path(self, account):
        return f"{ROOT}/Accounts/{account['id']}"

    def objects(self, state):
        objects = {f"{ROOT}/Manager": {f"{SERVICE}.Manager": {}}}
        for account in state["accounts"]:
            interfaces = {
                f"{SERVICE}.Account": {
                    "Id": Variant("s", account["id"]),
                    "ProviderType": Variant("s", account["provider"]),
                    "ProviderName": Variant("s", account["provider"].title()),
                    "Identity": Variant("s", account["name"]),
                    "PresentationIdentity": Variant("s", account["name"]),
                    "AttentionNeeded": Variant("b", account.get("attention", False)),
                    "IsTemporary": Variant("b", account.get("temporary", False)),
                },
                # What it holds of other types is read, too.
                f"{SERVICE}.Mail": {"Ports": Variant("ad", [0.5]), "Names": Variant("as", ["imap"])},
            }
            if account["kind"] == "oauth1":
                interfaces[f"{SERVICE}.OAuthBased"] = {
                    "ConsumerKey": Variant("s", account["key"]),
                    "ConsumerSecret": Variant("s", account["secret"]),
                }
            elif account["kind"] == "oauth2":
                interfaces[f"{SERVICE}.OAuth2Based"] = {
                    "ClientId": Variant("s", "desktop"),
                    "ClientSecret": Variant("s", ""),
                }
            else:
                interfaces[f"{SERVICE}.PasswordBased"] = {}
            objects[self.path(account)] = interfaces
        return objects


async def main(address, state):
    bus = await MessageBus(bus_address=address).connect()
    bus.add_message_handler(Service(state).handle)
    await bus.request_name(SERVICE)
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main(*sys.argv[1:]))
