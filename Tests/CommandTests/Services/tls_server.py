"""Serves a handler over TLS on a free port of this machine, and prints the address."""

import ssl
from http.server import ThreadingHTTPServer


def serve(handler, certificate, key):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(f"https://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
