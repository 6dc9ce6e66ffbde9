import Foundation
import TestShell

/// A proxy of Debian in front of a gate and a site, by the configuration that Deployment has for it.
enum GateProxy: String, CaseIterable, Sendable {
    case nginx, caddy, haproxy

    /// The header fields in which it describes a request.
    var dialect: String { self == .nginx ? "x-original" : "x-forwarded" }

    /// The addresses of the parties.
    struct Addresses: Sendable {
        let proxy: Int
        let gate: Int
        let site: Int
        /// The names of the sites at the proxy.
        let hosts: [String]
        /// Whether the proxy speaks TLS, with the certificate and its key in `tls.pem`.
        let isSecure: Bool
    }

    /// Starts the proxy, with its files in a folder.
    func start(at addresses: Addresses, in folder: URL) throws -> LoggedProgram {
        let log = folder.appending(component: "\(rawValue).log")
        switch self {
        case .nginx:
            try write(nginx(addresses, in: folder), to: folder, "nginx.conf")
            try write(shipped("countersign-gate.conf", at: addresses), to: folder, "gate.conf")
            try write(shipped("countersign-gate-headers.conf", at: addresses), to: folder, "headers.conf")
            return try LoggedProgram(
                "/usr/sbin/nginx", ["-c", folder.appending(component: "nginx.conf").path], printingTo: log)
        case .caddy:
            let global = "{\n\tadmin off\n\tauto_https off\n}\n"
            let file = try shipped("Caddyfile", at: addresses)
            let tls = "\ttls \(folder.path)/tls.pem \(folder.path)/tls.pem\n\troute {"
            try write(
                global + (addresses.isSecure ? file.replacing("\troute {", with: tls) : file), to: folder, "Caddyfile")
            return try LoggedProgram(
                "/usr/bin/caddy", ["run", "--config", folder.appending(component: "Caddyfile").path],
                environment: [
                    "HOME": folder.path, "SITE_PORT": "\(addresses.proxy)",
                    "SITE": addresses.hosts.map {
                        "\(addresses.isSecure ? "https" : "http")://\($0):\(addresses.proxy)"
                    }.joined(separator: ", "),
                    "SITE_UPSTREAM": "127.0.0.1:\(addresses.site)", "COUNTERSIGN_GATE": "127.0.0.1:\(addresses.gate)",
                ], printingTo: log)
        case .haproxy:
            let tls = addresses.isSecure ? " ssl crt \(folder.path)/tls.pem alpn h2,http/1.1" : ""
            let text = try shipped("haproxy.cfg", at: addresses)
                .replacing(
                    "bind :443 ssl crt /etc/haproxy/certificates", with: "bind 127.0.0.1:\(addresses.proxy)\(tls)"
                )
                .replacing("/etc/haproxy/", with: "\(Self.deployment.path)/")
                .replacing(
                    "photos.example.com photos.example.com:443",
                    with: addresses.hosts.map { "\($0):\(addresses.proxy)" }.joined(separator: " "))
            try write(text, to: folder, "haproxy.cfg")
            return try LoggedProgram(
                "/usr/sbin/haproxy", ["-db", "-f", folder.appending(component: "haproxy.cfg").path], printingTo: log)
        }
    }

    /// A file of Deployment, with the addresses of this machine in it.
    private func shipped(_ name: String, at addresses: Addresses) throws -> String {
        try String(contentsOf: Self.deployment.appending(component: name), encoding: .utf8)
            .replacing("127.0.0.1:8090", with: "127.0.0.1:\(addresses.gate)")
            .replacing("127.0.0.1:9000", with: "127.0.0.1:\(addresses.site)")
    }

    private func write(_ text: String, to folder: URL, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appending(component: name))
    }

    private func nginx(_ addresses: Addresses, in folder: URL) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
        return """
            daemon off;
            pid \(folder.path)/nginx.pid;
            error_log \(folder.path)/error.log;
            events {}
            http {
                access_log off;
                client_max_body_size 20m;
                \(places)
                map $http_upgrade $connection_upgrade { default upgrade; '' close; }
                \(addresses.hosts.map { block(of: $0, at: addresses, in: folder) }.joined(separator: "\n"))
            }

            """
    }

    /// The server block of nginx for a host.
    private func block(of host: String, at addresses: Addresses, in folder: URL) -> String {
        let certificate = "ssl_certificate \(folder.path)/tls.pem; ssl_certificate_key \(folder.path)/tls.pem;"
        return """
            server {
                listen 127.0.0.1:\(addresses.proxy)\(addresses.isSecure ? " ssl http2; \(certificate)" : ";")
                server_name \(host);
                include \(folder.path)/gate.conf;
                location / {
                    proxy_pass http://127.0.0.1:\(addresses.site);
                    proxy_http_version 1.1;
                    proxy_set_header Upgrade $http_upgrade;
                    proxy_set_header Connection $connection_upgrade;
                    include \(folder.path)/headers.conf;
                }
                # Without the headers of the gate.
                location /bare/ {
                    proxy_pass http://127.0.0.1:\(addresses.site);
                }
                location /files/ {
                    alias \(folder.path)/files/;
                }
            }
            """
    }

    private static let deployment = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Deployment/gate")
}
