import Countersign
import CountersignGate
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import NIOCore
import TestShell
import Testing

/// A site that others wrote, behind a proxy that others wrote, which asks `countersign gate`.
struct GatedSite: Sendable {
    private static let secret = ClientSecret(revealing: "gate-3c5e7a9b1d2f40618375")

    let names: Names
    let port: Int
    let folder: URL
    /// The gate; `nil` before its start.
    private(set) var gate: LoggedProgram?

    /// The names of a site, and of others at the same proxy, which have the same rules.
    enum Names: Sendable {
        case address
        case addressOverTLS
        /// Two names below one domain, whose sites share a session, and one beside it; over TLS.
        case domain

        var hosts: [String] {
            self == .domain ? ["photos.home.localhost", "films.home.localhost", "shop.localhost"] : ["127.0.0.1"]
        }

        var scheme: String { self == .address ? "http" : "https" }

        /// The domain below which a host shares its session; `nil` for a session of its own.
        func cookieDomain(of host: String) -> String? { host.hasSuffix(".home.localhost") ? "home.localhost" : nil }
    }

    /// The addresses in a browser, by the names of the hosts.
    var addresses: [String] { names.hosts.map { "\(names.scheme)://\($0):\(port)" } }
    /// The first of them.
    var address: String { addresses[0] }

    /// Other sites of the same gate, which are public, and at none of the proxies.
    var otherHosts: [String] { ["localhost:\(port)", "127.0.0.1:9"] }

    /// Cookies of the site that name no session.
    var wrongCookies: [[String]] {
        let place = SessionPlace(of: WebOrigin(address), isSecure: names.scheme == "https", sharedIn: nil)
        return ["", String(repeating: "a", count: 43)].map { ["Cookie: \(place.cookieName)=\($0)"] }
    }

    /// The answer to a request, and what the site received of it.
    struct Answer: Sendable {
        let status: Int?
        /// What an API client is told (`WWW-Authenticate`).
        let challenge: String?
        /// The request as the site received it; `nil` when it did not.
        let received: Received?
    }

    struct Received: Decodable, Sendable {
        let method: String
        let path: String
        let headers: [[String]]
        let body: Int
        let account: String?

        /// The values of a header that name a person, however it is spelled.
        var claims: [String] {
            headers.compactMap { header in
                let name = String(header[0].lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
                let isClaim = name.hasPrefix("remote-") || name.hasPrefix("x-countersign-")
                return isClaim && !header[1].isEmpty ? "\(name): \(header[1])" : nil
            }
        }

        /// Those about the person, without the statement of the gate, which is another each minute.
        var person: Set<String> { Set(claims.filter { !$0.hasPrefix("x-countersign-") }) }

        func value(_ name: String) -> String? {
            headers.first { $0[0].lowercased() == name.lowercased() }?[1]
        }
    }

    /// Runs a site with the rules of ``rules``.
    static func with(
        behind proxy: GateProxy,
        at server: JourneyServer,
        named names: Names = .address,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (GatedSite) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "countersign-gate-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder.appending(component: "files"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("a file".utf8).write(to: folder.appending(path: "files/a.txt"))
        // The proxies want to be told their port; it is kept for them until then.
        let port = try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
        let isSecure = names.scheme == "https"
        var site = GatedSite(names: names, port: port.number, folder: folder)
        try await site.register(at: server)

        var programs: [LoggedProgram] = []
        do {
            let upstream = try PythonProgram(name: "site_behind_gate").start(
                with: ["SITE": site.address], printingTo: folder.appending(component: "site.log"))
            programs.append(upstream)
            let gate = try site.startGate(asking: server.issuer, by: proxy)
            programs.append(gate)
            site.gate = gate
            let addresses = GateProxy.Addresses(
                proxy: site.port,
                gate: try await gate.firstPrinted { $0.number(after: "The gate answers proxies at 127.0.0.1:") },
                site: try await upstream.firstPrinted { $0.number(after: "port ") },
                hosts: names.hosts,
                isSecure: isSecure)
            if isSecure { try await site.makeCertificate() }
            programs.append(try proxy.start(at: addresses, in: folder))
            if isSecure {
                _ = try await site.curl("/", "--retry 60 --retry-delay 1 --retry-all-errors")
            } else {
                try await ExampleProgram.answers("127.0.0.1:\(site.port)")
            }
            try await body(site)
        } catch {
            await Self.end(programs)
            throw error
        }
        await Self.end(programs)
    }

    private static func end(_ programs: [LoggedProgram]) async {
        for program in programs.reversed() {
            program.signal(SIGTERM)
            _ = try? await program.ended()
        }
    }

    private func register(at server: JourneyServer) async throws {
        try await server.registerSite(
            ClientID("gate"),
            called: "Sites at home",
            with: Self.secret,
            for: Scope([.openid, .profile, .email, .groups]),
            serving: [address] + otherHosts.map { "http://\($0)" },
            RedirectRegistration(
                redirectURIs: addresses.map { "\($0)/gate/callback" },
                postLogoutRedirectURIs: addresses.map { "\($0)/gate/signed-out" },
                backChannelLogout: BackChannelLogout(uri: "\(address)/gate/notice")
            )
        )
    }

    /// Makes a certificate that vouches for itself, in one file with its key.
    private func makeCertificate() async throws {
        let (certificate, key) = ("\(folder.path)/certificate.pem", "\(folder.path)/key.pem")
        let hosts = names.hosts.map { $0 == "127.0.0.1" ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
        try await Shell.run(
            aside: """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(names.hosts[0]) \
                    -addext subjectAltName=\(hosts) -out \(certificate) -keyout \(key) 2>&1
                cat \(certificate) \(key) > \(folder.path)/tls.pem
                """)
    }

    /// The first rule that matches counts; all other paths are for people who are signed in. A browser loads the icon when it
    /// likes, perhaps after the session.
    private static let rules = """
        [{"path": "/share/*", "public": true}, {"path": "/admin/*", "groups": ["admins"]},
         {"path": "/vault/*", "acr": ["urn:countersign:acr:passkey"]},
         {"path": "/near/*", "acr": ["urn:countersign:acr:number"]}, {"path": "/recent/*", "max-age": 900},
         {"path": "/api/*", "bearer": true, "scope": "programmes"}, {"path": "/favicon.ico", "public": true}]
        """

    private func startGate(asking issuer: Issuer, by proxy: GateProxy) throws -> LoggedProgram {
        let own = zip(names.hosts, addresses).map { host, address in
            let domain = names.cookieDomain(of: host).map { #""cookie-domain": "\#($0)", "# } ?? ""
            return #"{"url": "\#(address)", \#(domain)"rules": \#(Self.rules)}"#
        }
        let others = otherHosts.map { #"{"url": "http://\#($0)", "rules": [{"public": true}]}"# }
        let text = """
            {"issuer": "\(issuer)", "client-id": "gate", "client-secret-file": "\(folder.path)/secret",
             "listen": "127.0.0.1:0", "state": "\(folder.path)/state", "original-request": "\(proxy.dialect)",
             "recheck": 1, "sites": [\((own + others).joined(separator: ", "))]}
            """
        try Data(text.utf8).write(to: folder.appending(component: "gate.json"))
        try Data(Self.secret.revealed.utf8).write(to: folder.appending(component: "secret"))
        return try LoggedProgram(
            BuiltPrograms.command.path, ["gate", "--config", folder.appending(component: "gate.json").path],
            environment: ["PATH": "/usr/bin:/bin", "NO_PROXY": "*"],
            printingTo: folder.appending(component: "gate.log"))
    }

    /// The answer to a request as it is written here, on a connection of its own.
    func answer(
        _ target: String,
        method: String = "GET",
        _ fields: [String] = [],
        cookie: String? = nil,
        host: String? = nil,
        body: [UInt8] = []
    ) async throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
        lines += cookie.map { ["Cookie: \($0)"] } ?? []
        lines += body.isEmpty ? [] : ["Content-Length: \(body.count)"]
        if !fields.contains(where: { $0.hasPrefix("Connection:") }) { lines.append("Connection: close") }
        let head = (lines + fields).joined(separator: "\r\n") + "\r\n\r\n"
        let heard = try await RawConnection.exchange(Array(head.utf8) + body, with: port)
        let upgraded = heard.answers.first { $0.status == 101 }
        let final = upgraded ?? heard.final
        let received = final.flatMap { answer in
            answer["X-Site"] == nil ? nil : try? JSONDecoder().decode(Received.self, from: Data(answer.body.utf8))
        }
        return Answer(status: final?.status, challenge: final?["WWW-Authenticate"], received: received)
    }

    /// The status, the version of HTTP and the redirection of an answer to curl, which believes any certificate.
    ///
    /// - Parameter base: The address of the site; the first by default.
    func curl(_ target: String, _ options: String, at base: String? = nil) async throws -> String {
        let format = "%{http_code} %{http_version} %{redirect_url}"
        let way = "--noproxy '*' --connect-to ::127.0.0.1:\(port)"
        return try await Shell.run(
            aside: "curl -sk \(way) -o /dev/null -w \(Shell.word(format)) \(options) \(base ?? address)\(target)")
    }

    /// Signs a browser in at the site, and returns its cookies there.
    func signIn(_ browser: Browser, as person: JourneyPerson = .anna) async throws -> String {
        try await browser.open("\(address)/x")
        try await browser.signIn(as: person)
        try await browser.press("Approve")
        try await browser.wait(for: "the site") { try await browser.address() == "\(address)/x" }
        return try await cookies(in: browser)
    }

    /// The cookies of a browser whose open page is one of the site.
    func cookies(in browser: Browser) async throws -> String {
        try await browser.cookies().map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

extension String {
    /// The number that follows these words; `nil` while it is not whole.
    fileprivate func number(after words: String) -> Int? {
        guard let start = firstRange(of: words) else { return nil }
        let digits = self[start.upperBound...].prefix(while: \.isNumber)
        return digits.endIndex == endIndex ? nil : Int(digits)
    }
}
