"""Prints when a packet of multicast DNS that names a type left or reached this host: wire.py TYPE

A line is the seconds since 1970 as the kernel noted them, then "question" or "answer", then "sent" or "got".
"""

import socket
import struct
import sys

EVERYTHING = 3  # ETH_P_ALL
OUTGOING = 4  # PACKET_OUTGOING
TIMESTAMP = 35  # SO_TIMESTAMPNS
label = sys.argv[1].split(".")[0].encode()
wanted = bytes([len(label)]) + label

wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERYTHING))
wire.setsockopt(socket.SOL_SOCKET, TIMESTAMP, 1)
wire.bind(("eth0", EVERYTHING))
print("listening", flush=True)
while True:
    packet, notes, _, address = wire.recvmsg(65535, 64)
    version = packet[0] >> 4
    if version == 4 and packet[9] == socket.IPPROTO_UDP:
        datagram = packet[(packet[0] & 15) * 4 :]
    elif version == 6 and packet[6] == socket.IPPROTO_UDP:
        datagram = packet[40:]
    else:
        continue
    if 5353 not in struct.unpack("!HH", datagram[:4]) or wanted not in datagram:
        continue
    flags, authorities = struct.unpack("!H4xH", datagram[10:18])
    # A question that carries records, which its sender wants for itself, is a claim to a name.
    kind = "answer" if flags & 0x8000 else "claim" if authorities else "question"
    seconds, nanoseconds = struct.unpack("qq", notes[0][2])
    print(f"{seconds}.{nanoseconds:09}", kind, "sent" if address[2] == OUTGOING else "got", flush=True)
