import Countersign
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

    /// The address in a browser.
    let address: String
    let port: Int
    let folder: URL

    /// The answer to a request, and what the site received of it.
    struct Answer: Sendable {
        let status: Int?
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
                let name = header[0].lowercased().replacing("_", with: "-")
                let isClaim = name.hasPrefix("remote-") || name.hasPrefix("x-countersign-")
                return isClaim && !header[1].isEmpty ? "\(name): \(header[1])" : nil
            }
        }

        func value(_ name: String) -> String? {
            headers.first { $0[0].lowercased() == name.lowercased() }?[1]
        }
    }

    /// Runs a site with the rules `/share/*` for everybody and `/admin/*` for administrators.
    static func with(
        behind proxy: GateProxy,
        at server: JourneyServer,
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
        let site = GatedSite(address: "http://127.0.0.1:\(port.number)", port: port.number, folder: folder)
        try await site.register(at: server)

        var programs: [LoggedProgram] = []
        do {
            let upstream = try PythonProgram(name: "site_behind_gate").start(
                with: ["SITE": site.address], printingTo: folder.appending(component: "site.log"))
            programs.append(upstream)
            let gate = try site.gate(asking: server.issuer, by: proxy)
            programs.append(gate)
            let addresses = GateProxy.Addresses(
                proxy: site.port,
                gate: try await gate.firstPrinted { $0.number(after: "The gate answers proxies at 127.0.0.1:") },
                site: try await upstream.firstPrinted { $0.number(after: "port ") })
            programs.append(try proxy.start(at: addresses, in: folder))
            try await ExampleProgram.answers("127.0.0.1:\(site.port)")
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
            RedirectRegistration(
                redirectURIs: ["\(address)/gate/callback"],
                postLogoutRedirectURIs: ["\(address)/gate/signed-out"],
                backChannelLogout: BackChannelLogout(uri: "\(address)/gate/notice")
            )
        )
    }

    private func gate(asking issuer: Issuer, by proxy: GateProxy) throws -> LoggedProgram {
        let text = """
            {"issuer": "\(issuer)", "client-id": "gate", "client-secret-file": "\(folder.path)/secret",
             "listen": "127.0.0.1:0", "state": "\(folder.path)/state", "original-request": "\(proxy.dialect)",
             "sites": [{"url": "\(address)", "rules": [
                {"path": "/share/*", "public": true}, {"path": "/admin/*", "groups": ["admins"]}]}]}
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
        body: [UInt8] = []
    ) async throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
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
        return Answer(status: final?.status, received: received)
    }

    /// Signs a browser in at the site, and returns its cookies there.
    func signIn(_ browser: Browser, as person: JourneyPerson = .anna) async throws -> String {
        try await browser.open("\(address)/x")
        try await browser.signIn(as: person)
        try await browser.press("Approve")
        try await browser.wait(for: "the site") { try await browser.address() == "\(address)/x" }
        return try await browser.cookies().map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
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
