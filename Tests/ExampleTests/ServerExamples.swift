import Countersign
import CountersignServer
import CountersignSQLite
import CountersignWire
import Foundation
import Hummingbird
import Logging
import Testing

/// The examples in the documentation of the server, word for word: `Scripts/check-examples.py` compares them.
@Suite("The server's examples")
struct ServerExamples {
    @Test func `set a server up`() throws {
        var settings = ServerSettings(issuer: try Issuer("https://id.example.com"))
        settings.trustedProxies = [AddressNetwork("127.0.0.1")].compactMap { $0 }
        settings.longestWait = 30

        #expect(settings.trustedProxies.count == 1)
    }

    @Test func `put a brand and a language on the pages`() throws {
        var settings = ServerSettings(issuer: try Issuer("https://id.example.com"))
        settings.brand = Brand(name: "Radio Nord")
        settings.brand.accent = AccentColor("#b00020")
        settings.brand.privacy = PolicyLink("https://radio.example/privacy")
        settings.language = .german

        #expect(settings.brand.accent != nil && settings.brand.privacy != nil)
    }

    @Test func `open a store and introduce a client`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(component: "countersign-example-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteStore.open(in: directory)
        let tv = Client(
            id: ClientID("tv"), name: "Living room TV", kind: .public, grantTypes: [.deviceCode, .refreshToken],
            scope: Scope([.openid, .profile, .offlineAccess]), tokenFormat: .opaque, created: Date())
        try await store.change { repositories in
            if try repositories.clients.find(tv.id) == nil { try repositories.clients.insert(tv) }
        }

        #expect(try await store.read { try $0.clients.find(tv.id)?.name } == "Living room TV")
        try await store.close()
    }

    // The rest is compiled, and shown by tests of its own.

    static func embed() async throws {
        let logger = Logger(label: "sign-in")
        let store = try SQLiteStore.open(in: URL(fileURLWithPath: "/var/lib/countersign"))
        let server = try AuthorizationServer(
            ServerSettings(issuer: try Issuer("https://id.example.com")),
            keeping: store, clock: .system, random: .system, logger: logger
        )
        try await server.application(listening: .hostname("127.0.0.1", port: 8080)).runService()
    }

    static func run(_ settings: ServerSettings, keeping store: any Store, logger: Logger) async throws {
        let server = try AuthorizationServer(settings, keeping: store, clock: .system, random: .system, logger: logger)
        try await server.application(listening: .hostname("127.0.0.1", port: 8080)).runService()
    }

    static func measure(_ settings: ServerSettings, keeping store: any Store, logger: Logger) throws {
        let metrics = PrometheusMetrics()
        let server = try AuthorizationServer(
            settings, keeping: store, clock: .system, random: .system, logger: logger, measuring: metrics
        )
        print(metrics.text())
        _ = server
    }

    static func verify(_ entries: [AuditEntry], from anchor: AuditPosition, to head: AuditPosition) throws {
        var chain = AuditChain(from: anchor)
        for entry in entries { try chain.follow(entry) }
        try chain.end(at: head)
    }
}
