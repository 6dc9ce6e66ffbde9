import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import Testing
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore

@testable import CountersignServer

/// A server over a store of its own in a directory that goes away, asked through its router without a socket.
///
/// It knows the people ``TestPerson`` and the clients ``TestClients``. Time stands still until a test moves it.
struct TestServer: Sendable {
    let client: any TestClientProtocol
    let server: AuthorizationServer
    let store: SQLiteStore
    let clock: ManualClock
    let settings: ServerSettings
    /// The server's metrics.
    let metrics: PrometheusMetrics
    /// The requests that it answers without a task, where it reads the connections itself.
    let fastPath: FastPath
    /// The directory of the database.
    let directory: URL

    var issuer: Issuer { settings.issuer }

    /// The clock as the server takes it.
    var serverClock: TimeSource {
        clock.source
    }

    /// Opens a server for the length of `test`; with a key for RS256, because making one is slow, and with the
    /// ``TestApps`` and each ``TestDomain`` if asked.
    static func open(
        issuer: String = "http://localhost:8080",
        withSigningKeys: Bool = true,
        withApps: Bool = false,
        withDomains: Bool = false,
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        calling transport: any HTTPTransport = SystemTransport.make(),
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var settings = ServerSettings(issuer: try Issuer(issuer))
        settings.passwordCost = TestPerson.cost
        configuring(&settings)
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let metrics = PrometheusMetrics()
        let store = try SQLiteStore.open(in: directory, measuring: metrics)
        let clock = ManualClock()
        let server = try AuthorizationServer(
            settings,
            keeping: store,
            clock: clock.source,
            random: .system,
            logger: logger,
            calling: transport,
            measuring: metrics
        )
        let created = clock.date
        try await store.change { repositories in
            for client in TestClients.all(created: created) { try repositories.clients.insert(client) }
            if withApps {
                for app in TestApps.allCases { try repositories.clients.insert(app.record(created: created)) }
            }
            if withDomains {
                for domain in TestDomain.allCases { try repositories.domains.insert(domain.record(created: created)) }
            }
            for person in TestPerson.allCases { try repositories.people.insert(try person.record(created: created)) }
            if withSigningKeys { try repositories.serverKeys.insert(try Self.signingKey(created: created)) }
        }
        let (responder, fastPath) = server.answering()
        let application = Application(
            responder: try HostNaming(base: responder, host: settings.issuer.host),
            logger: logger
        )
        let opened = settings
        try await application.test(.router) { client in
            let open = TestServer(
                client: client,
                server: server,
                store: store,
                clock: clock,
                settings: opened,
                metrics: metrics,
                fastPath: fastPath,
                directory: directory
            )
            try await test(open)
        }
        try await store.close()
    }

    private static func signingKey(created: Date) throws -> ServerKey {
        ServerKey(
            id: JSONWebKey.ID("an-rsa-key"),
            purpose: .signRS256,
            secretBytes: try secretBytes.get(),
            created: created,
            activates: created
        )
    }

    private static let secretBytes = Result { try SigningKey.generate(.rs256).secretBytes }

    // MARK: Asking

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await client.executeRequest(uri: path, method: method, headers: headers, body: body)
    }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, path, headers: headers)
    }

    /// Sends a form.
    func post(_ path: String, _ form: Form, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await post(path, raw: form.encoded, headers: headers)
    }

    /// Sends a form just as it is written here.
    func post(_ path: String, raw: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        return try await send(.post, path, headers: headers, body: ByteBuffer(string: raw))
    }

    /// The rows of a change in the store, made by an administrator.
    func change(_ body: @escaping @Sendable (any Repositories) throws -> Void) async throws {
        try await store.change(body)
    }

    /// Removes a client.
    func remove(_ client: TestClients) async throws {
        try await change { _ = try $0.clients.remove(client.id) }
    }

    /// Keeps a client from asking Anna.
    func mute(_ client: TestClients) async throws {
        let mute = Mute(subject: TestPerson.anna.subject, client: client.id, cause: .muted, since: clock.date)
        try await change { try $0.mutes.keep(mute) }
    }

    /// Makes a client one that registered itself, whose registration expires after so many seconds.
    func expire(_ client: TestClients, after seconds: TimeInterval) async throws {
        let expires = clock.date + seconds
        try await change { repositories in
            var record = try #require(try repositories.clients.find(client.id))
            record.registration = .dynamic(
                DynamicRegistration(
                    token: SecretDigest(of: "registration of \(client)"),
                    expires: expires,
                    method: .clientSecretPost,
                    software: nil,
                    allowance: .none
                )
            )
            try repositories.clients.update(record)
        }
    }
}

extension Form {
    /// This form with the parameters of another.
    func with(_ other: Form) throws -> Form {
        try Form(parsing: Array("\(encoded)&\(other.encoded)".utf8))
    }
}
