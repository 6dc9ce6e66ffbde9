import Countersign
import CountersignApprover
import CountersignRequester
import CountersignSQLite
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import TestShell
import Testing

/// Feature 142, over TLS: somebody holds another certificate for the name of the server, which systems trust as well.
@Suite("An app that pins its server's certificate", .timeLimit(.minutes(10)))
struct PinnedCertificateTests {
    @Test func `is signed in by a ticket only where that certificate is shown, and the ticket is not lost elsewhere`()
        async throws
    {
        try await play { server, certificates, phone in
            let ticket = try await server.ticket(of: .anna)
            try certificates.show(.other)
            let before = requests(answeredBy: server)
            let refused = await #expect(throws: SignInError.self) { _ = try await phone.signIn.redeem(ticket) }
            #expect(refused?.code == .notTrusted)
            let untrusted = await #expect(throws: ApprovalError.self) { _ = try await phone.approver.register() }
            #expect(untrusted?.code == .notTrusted)
            #expect(requests(answeredBy: server) == before)
            #expect(try await record(of: ticket, at: server).use == nil)
            #expect(await phone.tokens.keys().isEmpty)
            #expect(await phone.items.all.isEmpty)

            try certificates.show(.pinned)
            try await phone.enroll(by: ticket)
            #expect(try await record(of: ticket, at: server).use?.gaveSignIn == true)
            #expect(try await phone.approver.keptRegistration() != nil)
        }
    }

    @Test func `sends nothing in any call elsewhere, loses nothing, and does each where it is shown`() async throws {
        try await play { server, certificates, phone in
            try certificates.show(.pinned)
            try await phone.enroll(by: try await server.ticket(of: .anna))
            let environment = try await JourneyCustomerSite.added(to: server).environment.id
            let ticket = try await server.ticket(of: .anna, for: environment)
            let backend = BackchannelSignIn(
                at: server.issuer,
                as: JourneyParties.backend,
                secret: JourneyParties.backendSecret,
                for: Scope([.openid]),
                in: RequesterContext(
                    over: AsyncHTTPTransport(trustingFile: certificates.path("trusted.pem")),
                    clock: server.clock.skipping, random: .system)
            )
            let awaited = try await backend.start(
                BackchannelAuthenticationRequest(for: .login(JourneyPerson.anna.username), scope: backend.scope))
            let waiting = try #require(try await phone.approver.waitingRequests().first)
            let shown = try await phone.approver.request(waiting.id)
            let calls = calls(about: shown, joining: environment, by: ticket)

            let before = try await kept(by: server, ticket, shown.id)
            let (items, answered) = (await phone.items.all, requests(answeredBy: server))
            try certificates.show(.other)
            for call in calls {
                let error = await #expect(throws: ApprovalError.self, "\(call.name)") {
                    try await call.make(phone.approver)
                }
                #expect(error?.code == .notTrusted, "\(call.name)")
            }
            guard case .unknown(let last, because: let error) = await phone.approver.checkRegistration() else {
                Issue.record("the server was asked")
                return
            }
            #expect(last != nil && error.code == .notTrusted)
            #expect(requests(answeredBy: server) == answered)
            #expect(try await kept(by: server, ticket, shown.id) == before)
            #expect(await phone.items.all == items)

            try certificates.show(.pinned)
            for call in calls {
                await #expect(throws: Never.self, "\(call.name)") { try await call.make(phone.approver) }
            }
            server.clock.advance(by: .seconds(5))
            guard case .signedIn(let signedIn) = try await backend.outcome(of: awaited) else {
                Issue.record("nobody was signed in")
                return
            }
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
        }
    }

    // MARK: What is compared

    /// A call of a device, as the library offers it.
    private struct Call: Sendable {
        let name: String
        let make: @Sendable (Approver) async throws -> Void

        init(_ name: String, _ make: @escaping @Sendable (Approver) async throws -> Void) {
            self.name = name
            self.make = make
        }
    }

    /// Calls that all succeed in this order.
    private func calls(
        about shown: WaitingRequest,
        joining environment: CustomerSiteID,
        by ticket: EnrollmentTicket
    ) -> [Call] {
        [
            Call("register") { _ = try await $0.register() },
            Call("push token") { _ = try await $0.register(pushToken: "t", isEnabled: true, isDevelopment: false) },
            Call("registration") { _ = try await $0.registration() },
            Call("join") { try await $0.register(in: environment, by: ticket) },
            Call("environments") { _ = try await $0.customerSites() },
            Call("inbox") { _ = try await $0.waitingRequests() },
            Call("look") { _ = try await $0.request(shown.id) },
            Call("answer") { try await $0.answer(.approve(), to: shown) },
            Call("quiet") { try await $0.quiet(for: .seconds(60)) },
            Call("leave") { try await $0.unregister(from: environment) },
            Call("unregister") { try await $0.unregister() },
        ]
    }

    /// The state of the server that these calls would change.
    private struct Kept: Sendable, Equatable {
        let devices: [EnrolledDevice]
        let environments: [DeviceCustomerSite]
        let quiet: Date?
        let ticket: EnrollmentTicketRecord?
        let decision: SignedDecisionRecord?
    }

    private func kept(
        by server: JourneyServer,
        _ ticket: EnrollmentTicket,
        _ request: SignInRequest.ID
    ) async throws -> Kept {
        let store = try #require(await server.store)
        let (digest, subject) = (ticket.digest, JourneyPerson.anna.subject)
        return try await store.read { repositories in
            let devices = try repositories.devices.all(of: subject)
            return Kept(
                devices: devices,
                environments: try devices.flatMap { try repositories.devices.enrollments(of: $0.id) },
                quiet: try repositories.devices.quiet(of: subject),
                ticket: try repositories.enrollmentTickets.find(digest),
                decision: try repositories.signedDecisions.find(request)
            )
        }
    }

    private func record(of ticket: EnrollmentTicket, at server: JourneyServer) async throws -> EnrollmentTicketRecord {
        let store = try #require(await server.store)
        let digest = ticket.digest
        return try #require(try await store.read { try $0.enrollmentTickets.find(digest) })
    }

    /// The counters of the requests that the server has answered, by route and status.
    private func requests(answeredBy server: JourneyServer) -> [Substring] {
        server.metrics.text().split(separator: "\n").filter { $0.hasPrefix("countersign_http_requests_total") }.sorted()
    }

    // MARK: The story

    private func play(
        _ body: @Sendable (JourneyServer, TwoCertificates, JourneyPhone) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-pinned-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let certificates = try TwoCertificates(in: directory)
        try await JourneyServer.with(host: "localhost", certificate: certificates.shown) { server in
            try await server.addPhoneApp()
            let key = try CertificatePinSigningKey(pem: P256.Signing.PrivateKey().pemRepresentation)
            let list = try key.list(of: [certificates.pinned], version: 1, until: server.clock.date + 86_400)
            let pins = try CertificatePins(
                at: "https://pins.example.com/pins",
                signedBy: key.publicKey,
                keepingStateIn: JourneyPhone.Items(),
                over: ScriptedTransport(["/pins": [.text(list, type: "application/jwt")]]),
                clock: server.clock.skipping
            )
            #expect(await pins.refresh() == .taken(version: 1))
            let network = PinnedNetwork(trusted: certificates.path("trusted.pem"), pins: pins)
            try await body(server, certificates, JourneyPhone(at: server, over: network))
        }
    }
}

/// The network of the app. Each request has a connection of its own, and so meets the certificate that is shown now.
private struct PinnedNetwork: HTTPTransport {
    let trusted: String
    let pins: CertificatePins

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let network = AsyncHTTPTransport(
            trustingFile: trusted,
            checking: { [pins] certificate in await pins.accepts(certificate, isTrusted: true) }
        )
        // The time of a story is that of its test.
        return try await network.send(request, body: body, within: max(limit, .seconds(3600)))
    }
}

/// Two certificates for this machine, each with a key of its own; a server shows one at a time. Both are in
/// `trusted.pem`.
private struct TwoCertificates: Sendable {
    enum Name: String {
        case pinned, other
    }

    private let directory: URL
    /// The certificate that the server shows.
    let shown: ServerCertificate
    /// The one that the app pins, in DER.
    let pinned: [UInt8]

    init(in directory: URL) throws {
        self.directory = directory
        let place = Shell.word(directory.path)
        for name in [Name.pinned.rawValue, Name.other.rawValue] {
            try Shell.run(
                """
                cd \(place) && { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj /CN=\(name) -addext subjectAltName=DNS:localhost -keyout \(name).key -out \(name).pem && \
                openssl x509 -in \(name).pem -outform DER -out \(name).der && \
                cat \(name).pem >> trusted.pem; } 2> /dev/null
                """
            )
        }
        try Shell.run("cd \(place) && cp pinned.pem server.pem && cp pinned.key server.key && chmod 600 server.key")
        let file = { (name: String) in directory.appendingPathComponent(name) }
        shown = try ServerCertificate(certificatePath: file("server.pem").path, keyPath: file("server.key").path)
        pinned = Array(try Data(contentsOf: file("pinned.der")))
    }

    func path(_ file: String) -> String { directory.appendingPathComponent(file).path }

    /// Has the server show one of them from the next connection on.
    func show(_ name: Name) throws {
        let place = Shell.word(directory.path)
        try Shell.run("cd \(place) && cp \(name.rawValue).pem server.pem && cp \(name.rawValue).key server.key")
        try shown.reload(isAsked: true)
    }
}
