"""Floods a network with hostile packets of all kinds: flood.py PACKETS_A_SECOND SECONDS ADDRESS...

The packets come from all of the addresses in turn: lists of made-up services, queries for what is known, probes and answers
for made-up names, long chains of compression pointers, names that branch off one long name, as many questions as fit,
and noise.
"""

import os
import random
import socket
import struct
import sys
import time

GROUP, PORT = "224.0.0.251", 5353
PTR, TXT, SRV, ANY = 12, 16, 33, 255
LIST = b"\5_http\4_tcp\5local\0"


def label(text):
    return bytes([len(text)]) + text.encode()


def header(flags, questions=0, answers=0, authorities=0, additionals=0):
    return struct.pack("!6H", 0, flags, questions, answers, authorities, additionals)


def record(name, kind, data, unique=False):
    return name + struct.pack("!HHIH", kind, 0x8001 if unique else 1, 4500, len(data)) + data


def services(number):
    """A list of services, as many as fit a usual packet; the name of the list is at byte 12."""
    pointer, parts = struct.pack("!H", 0xC000 | 12), []
    for count in range(35):
        name = LIST if count == 0 else pointer
        parts.append(record(name, PTR, label(f"Fake {number} {count}") + pointer))
    return header(0x8400, answers=len(parts)) + b"".join(parts)


def service(number):
    """Where a made-up service is, and a contest of its name."""
    name, host = label(f"Fake {number} 0") + LIST, label(f"host{number}") + b"\5local\0"
    place = struct.pack("!HHH", 0, 0, number % 65536) + host
    return header(0x8400, answers=2) + record(name, SRV, place, True) + record(name, TXT, b"\0", True)


def query(number):
    return header(0, questions=1) + LIST + struct.pack("!HH", PTR, 1)


def probe(number):
    name = label(f"Fake {number} 1") + LIST
    place = struct.pack("!HHH", 0, 0, 9) + b"\4liar\5local\0"
    return header(0, questions=1, authorities=1) + name + struct.pack("!HH", ANY, 1) + record(name, SRV, place)


def chain(number):
    """Records whose names lead from one to the next; every other one is as large as a packet can be."""
    rest = struct.pack("!HHIH", 4096, 1, 9, 0)
    packet, last, count = b"\1a\0" + rest, 12, 1
    while len(packet) + 24 <= (8900 if number % 2 else 1400):
        start = 12 + len(packet)
        packet += struct.pack("!H", 0xC000 | last) + rest
        last, count = start, count + 1
    return header(0x8400, answers=count) + packet


def branches(number):
    """Long names, each with records whose names begin at its odd bytes and go on with its rest."""
    rest = struct.pack("!HHIH", 4096, 1, 9, 0)
    packet, count, size = b"", 0, 8900 if number % 4 == 0 else 1400
    while len(packet) + 263 <= size:
        start = 12 + len(packet)
        packet, count = packet + b"\1\2" * 126 + b"\0" + rest, count + 1
        for place in range(start + 1, start + 250, 2):
            if len(packet) + 12 <= size:
                packet, count = packet + struct.pack("!H", 0xC000 | place) + rest, count + 1
    return header(0x8400, answers=count) + packet


def questions(number):
    packet = LIST + struct.pack("!HH", PTR, 1)
    asked = b"".join(struct.pack("!HHH", 0xC000 | 12, kind + 1, 1) for kind in range(230))
    return header(0, questions=231) + packet + asked


def noise(number):
    return os.urandom(random.randrange(12, 1400))


rate, span, addresses = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
kinds = [services, service, query, services, probe, chain, service, questions, branches, query, noise]
packets = [kinds[number % len(kinds)](number) for number in range(2000)]
peers = []
for address in addresses:
    peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    # Those who listen on this host are not flooded.
    peer.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    peer.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    peer.bind((address, PORT))
    peers.append(peer)
print("ready", flush=True)
began, sent = time.monotonic(), 0
while time.monotonic() - began < span:
    due = int((time.monotonic() - began) * rate)
    while sent < due:
        peers[sent % len(peers)].sendto(packets[sent * 7 % len(packets)], (GROUP, PORT))
        sent += 1
    time.sleep(0.002)
print(f"sent {sent}", flush=True)
