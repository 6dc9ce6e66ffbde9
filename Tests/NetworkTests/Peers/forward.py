"""Lends its host a loopback port of another network: forward.py PORT NETWORK, a file such as /proc/1/ns/net"""

import asyncio
import ctypes
import os
import sys

CLONE_NEWNET = 0x40000000
port, network = int(sys.argv[1]), os.open(sys.argv[2], os.O_RDONLY)


async def carry(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def meet(reader, writer):
    try:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(carry(reader, there_writer), carry(there_reader, writer))


async def main():
    server = await asyncio.start_server(meet, "127.0.0.1", port)
    # What is listened on stays where it is; what is opened from now on is there.
    if ctypes.CDLL(None, use_errno=True).setns(network, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main())
