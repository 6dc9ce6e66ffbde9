"""Besieges a port with hostile connections: besiege.py PORT-HOST PORT CONNECTIONS_A_SECOND SECONDS ADDRESS...

The connections come from all of the addresses in turn. They send nothing, noise, the beginning of a first frame, a whole one
of noise, or one with a key that leads nowhere, and stay open for up to three seconds; or they are closed at once.
It prints "ready", then every second how many connections were made so far.
"""

import asyncio
import os
import random
import resource
import sys
import time

LONGEST = 3
# A mark, a version, the versions with their number, then a key and eight hints.
HELLO, MESSAGE = b"CSNB\1\1\1", 32 + 8 * 8


def frame(content):
    return len(content).to_bytes(2, "big") + content


def first():
    return frame(HELLO + os.urandom(MESSAGE))


KINDS = [
    lambda: b"",
    lambda: os.urandom(random.randrange(1, 1400)),
    lambda: first()[: random.randrange(1, 2 + len(HELLO) + MESSAGE)],
    lambda: frame(os.urandom(len(HELLO) + MESSAGE)),
    first,
    lambda: None,
]
host, port, rate, span = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
addresses = sys.argv[5:]
files = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 1 << 16)
resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
made = 0


async def connect(number):
    global made
    # Each address takes its turn with all of the kinds.
    source, kind = addresses[number % len(addresses)], KINDS[number // len(addresses) % len(KINDS)]
    attempt = asyncio.get_running_loop().create_connection(asyncio.Protocol, host, port, local_addr=(source, 0))
    try:
        connection, _ = await asyncio.wait_for(attempt, LONGEST)
    except (OSError, asyncio.TimeoutError):
        return
    made += 1
    content = kind()
    if content is not None:
        connection.write(content)
        await asyncio.sleep(random.uniform(0, LONGEST))
    connection.close()


async def besiege():
    began, started, told, running = time.monotonic(), 0, 0, set()
    print("ready", flush=True)
    while (passed := time.monotonic() - began) < span:
        while started < int(passed * rate):
            if len(running) < files - 64:
                task = asyncio.create_task(connect(started))
                running.add(task)
                task.add_done_callback(running.discard)
            started += 1
        if passed >= told + 1:
            told = int(passed)
            print(f"made {made}", flush=True)
        await asyncio.sleep(0.005)


asyncio.run(besiege())
