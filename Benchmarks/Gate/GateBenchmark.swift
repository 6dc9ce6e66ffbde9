internal import Countersign
internal import CountersignGate
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// Measures the gate's checks: alone, and by nginx beside the same nginx without a gate.
struct GateBenchmark {
    let command: String
    let directory: URL
    let seconds: Int

    private static let cookie = "0123456789012345678901234567890123456789012"
    private static let subject = "anna-1"

    struct Result {
        let checks: Measurement
        let bare: Measurement
        let gated: Measurement
    }

    /// Drives all three by 64 connections of one thread.
    func measure() throws -> Result {
        let folder = directory.appendingPathComponent("gate")
        let (issuerPort, gatePort, proxyPort) = (
            try ServerProcess.anyPort(), try ServerProcess.anyPort(), try ServerProcess.anyPort()
        )
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("state/sessions"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let site = "http://127.0.0.1:\(proxyPort.number)"
        try write(session(at: site), to: folder, "state/sessions/\(Self.fileName).session")
        try write("secret", to: folder, "secret")
        try write(
            configuration(asking: issuerPort.number, for: site, at: gatePort.number, in: folder), to: folder,
            "gate.json")
        try write(nginx(at: proxyPort.number, asking: gatePort.number, in: folder), to: folder, "nginx.conf")

        let issuer = try ServerProcess(
            "issuer", URL(fileURLWithPath: CommandLine.arguments[0]).path,
            ["issuer", "\(issuerPort.number)", Self.subject],
            at: issuerPort, answering: "/jwks", log: folder.appendingPathComponent("issuer.log"))
        defer { issuer.stop() }
        let gate = try ServerProcess(
            "gate", command,
            ["gate", "--config", folder.appendingPathComponent("gate.json").path, "--log-level", "error"],
            at: gatePort, answering: "/gate/jwks", log: folder.appendingPathComponent("gate.log"))
        defer { gate.stop() }
        let proxy = try ServerProcess(
            "nginx", "/usr/sbin/nginx", ["-c", folder.appendingPathComponent("nginx.conf").path], at: proxyPort,
            answering: "/bare/a", log: folder.appendingPathComponent("nginx.log"))
        defer { proxy.stop() }

        let wrk = Wrk(connections: 64, seconds: seconds, directory: folder)
        let check = Load(
            name: "gate check", path: "/check", script: { _ in Self.check(of: proxyPort.number, at: site) })
        let pair = Self.pair(at: site)
        let bare = Load(name: "nginx", path: "/bare/a", script: { _ in Script.get("/bare/a", cookie: pair) })
        let gated = Load(
            name: "nginx, gate", path: "/gated/a", script: { _ in Script.get("/gated/a", cookie: pair) })
        return Result(
            checks: try wrk.measure(check, on: [gate], batch: 0),
            bare: try wrk.measure(bare, on: [proxy], batch: 0),
            gated: try wrk.measure(gated, on: [proxy], batch: 0))
    }

    /// The session's cookie.
    private static func pair(at site: String) -> String {
        "\(SessionPlace(of: WebOrigin(site), isSecure: false, sharedIn: nil).cookieName)=\(cookie)"
    }

    /// The name of the session's file: the digest of its cookie.
    private static let fileName = URLSafeText.encode(SecretDigest(of: cookie).bytes)

    private static func check(of port: Int, at site: String) -> String {
        """
        wrk.path = "/check"
        wrk.headers["X-Original-Method"] = "GET"
        wrk.headers["X-Original-Proto"] = "http"
        wrk.headers["X-Original-Host"] = "127.0.0.1:\(port)"
        wrk.headers["X-Original-URI"] = "/photos/2026/a.jpg"
        wrk.headers["Cookie"] = "\(pair(at: site))"
        """
    }

    private func session(at site: String) -> String {
        """
        {"place": "\(site)", "person": {"subject": "\(Self.subject)", "username": "anna", "name": "Anna"},
         "access": "access", "refresh": "refresh", "accessEnds": 4000000000, "ends": 4000000000}
        """
    }

    private func configuration(asking issuer: Int, for site: String, at port: Int, in folder: URL) -> String {
        """
        {"issuer": "http://127.0.0.1:\(issuer)", "client-id": "gate", "client-secret-file": "\(folder.path)/secret",
         "listen": "127.0.0.1:\(port)", "state": "\(folder.path)/state", "original-request": "x-original",
         "sites": [{"url": "\(site)", "rules": [{"path": "/share/*", "public": true}, {"groups": ["family"]}]}]}
        """
    }

    private func nginx(at port: Int, asking gate: Int, in folder: URL) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
        return """
            daemon off;
            master_process off;
            pid \(folder.path)/nginx.pid;
            error_log \(folder.path)/error.log;
            events { worker_connections 1024; }
            http {
                access_log off;
                \(places)
                upstream gate { server 127.0.0.1:\(gate); keepalive 64; }
                server {
                    listen 127.0.0.1:\(port);
                    server_name 127.0.0.1;
                    location = /answer { internal; return 200 "ok"; }
                    location /bare/ { try_files /none /answer; }
                    location /gated/ { auth_request /ask; try_files /none /answer; }
                    location = /ask {
                        internal;
                        proxy_pass http://gate/check;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_pass_request_body off;
                        proxy_set_header Content-Length "";
                        proxy_set_header X-Original-Method $request_method;
                        proxy_set_header X-Original-Proto $scheme;
                        proxy_set_header X-Original-Host $host:$server_port;
                        proxy_set_header X-Original-URI $request_uri;
                    }
                }
            }

            """
    }

    private func write(_ text: String, to folder: URL, _ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
