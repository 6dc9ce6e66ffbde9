"""A service of desktop notifications: notifications.py ADDRESS COMMANDS

ADDRESS is that of a bus. COMMANDS is a file to which lines are appended: KEY NUMBER presses that button of that
notification. Each call is printed: Notify NUMBER TITLE [ACTIONS], CloseNotification NUMBER.
"""

import asyncio
import sys

from dbus_next import Message, MessageType
from dbus_next.aio import MessageBus

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class Service:
    def __init__(self):
        self.last = 0

    def handle(self, message):
        if message.message_type != MessageType.METHOD_CALL or message.path != PATH:
            return None
        if message.member == "GetCapabilities":
            return Message.new_method_return(message, "as", [["body", "actions"]])
        if message.member == "Notify":
            self.last += 1
            print(f"Notify {self.last} {message.body[3]} [{','.join(message.body[5])}]", flush=True)
            return Message.new_method_return(message, "u", [self.last])
        if message.member == "CloseNotification":
            print(f"CloseNotification {message.body[0]}", flush=True)
            return Message.new_method_return(message)
        return None


async def main(address, commands):
    bus = await MessageBus(bus_address=address).connect()
    bus.add_message_handler(Service().handle)
    await bus.request_name(NAME)
    print("ready", flush=True)
    done = 0
    while True:
        with open(commands, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in lines[done:]:
            key, number = line.split()
            await bus.send(Message.new_signal(PATH, NAME, "ActionInvoked", "us", [int(number), key]))
            await bus.send(Message.new_signal(PATH, NAME, "NotificationClosed", "uu", [int(number), 2]))
        done = len(lines)
        await asyncio.sleep(0.05)


asyncio.run(main(sys.argv[1], sys.argv[2]))
