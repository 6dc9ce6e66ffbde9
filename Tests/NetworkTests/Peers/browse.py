"""Prints what python-zeroconf finds of a type: browse.py TYPE"""

import sys
import threading

from zeroconf import IPVersion, ServiceBrowser, ServiceListener, Zeroconf


class Printing(ServiceListener):
    def add_service(self, zeroconf, type_, name):
        # Strict: a name that the standard does not allow is an error.
        info = zeroconf.get_service_info(type_, name, timeout=5000)
        if info is None:
            print("unresolved", name)
            return
        addresses = " ".join(sorted(info.parsed_addresses()))
        text = " ".join(f"{key.decode()}={value and value.decode()}" for key, value in info.properties.items())
        print("found", name, info.server, info.port, addresses, text, flush=True)

    def update_service(self, zeroconf, type_, name):
        pass

    def remove_service(self, zeroconf, type_, name):
        print("removed", name, flush=True)


print("searching", flush=True)
zeroconf = Zeroconf(ip_version=IPVersion.All)
browser = ServiceBrowser(zeroconf, sys.argv[1], Printing())
print("ready", flush=True)
threading.Event().wait()
