"""Advertises with python-zeroconf until SIGTERM, and says something else at SIGUSR1: advertise.py NAME ADDRESS LIFETIME"""

import signal
import sys

from zeroconf import IPVersion, ServiceInfo, Zeroconf

name, address, lifetime = sys.argv[1], sys.argv[2], int(sys.argv[3])


def info(text):
    return ServiceInfo(
        "_http._tcp.local.",
        f"{name}._http._tcp.local.",
        port=8080,
        properties=text,
        server="peer.local.",
        parsed_addresses=[address],
        host_ttl=lifetime,
        other_ttl=lifetime,
    )


signals = {signal.SIGTERM, signal.SIGUSR1}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
print("beginning", flush=True)
zeroconf = Zeroconf(ip_version=IPVersion.All)
service = info({"state": "old", "flag": None})
zeroconf.register_service(service)
print("ready", flush=True)
while signal.sigwait(signals) == signal.SIGUSR1:
    service = info({"state": "new"})
    zeroconf.update_service(service)
zeroconf.unregister_service(service)
zeroconf.close()
