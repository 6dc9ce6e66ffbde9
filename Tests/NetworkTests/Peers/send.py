"""Sends a packet from an address and port to another: send.py HEX FROM PORT TO [multicast]"""

import socket
import sys

packet, source, port, target = bytes.fromhex(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(source))
sender.bind((source, port))
sender.sendto(packet, (target, 5353))
