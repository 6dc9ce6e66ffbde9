import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The client of a help desk, whose backend asks people over the back channel.
struct TestBackchannelClient: Sendable {
    let server: TestServer
    var name = "desk"

    var id: ClientID { ClientID(name) }
    var secret: ClientSecret { ClientSecret(revealing: "\(name)-secret") }

    /// The token that proves the server to the client when it calls.
    static let token = "8d67dc78-7faa-4d41-aabd-67707b374255"

    /// The path of the client's notification endpoint in ``ScriptedTransport``.
    static let path = "/decided"

    var credentials: Form { ["client_id": name, "client_secret": secret.revealed] }

    /// Registers it.
    func register(
        _ mode: BackchannelDeliveryMode = .poll,
        _ edit: (inout Client) -> Void = { _ in }
    ) async throws {
        var record = Client(
            id: id,
            name: "The \(name)",
            kind: .confidential(secret.digest),
            grantTypes: [.backchannelAuthentication, .refreshToken],
            scope: Scope([.openid, .profile, .email, ScopeWord("play")]),
            tokenFormat: .opaque,
            backchannel: BackchannelRegistration(
                deliveryMode: mode,
                notificationEndpoint: mode.isNotified ? "https://\(name).example\(Self.path)" : nil
            ),
            created: server.clock.date
        )
        edit(&record)
        #expect(record.backchannel.objection(to: record) == nil)
        try await server.change { [record] in try $0.clients.insert(record) }
    }

    /// Adds the client to a server.
    static func add(
        to server: TestServer,
        _ mode: BackchannelDeliveryMode = .poll,
        editing edit: (inout Client) -> Void = { _ in }
    ) async throws -> TestBackchannelClient {
        let client = TestBackchannelClient(server: server)
        try await client.register(mode, edit)
        return client
    }

    /// Opens a server with the client.
    static func open(
        configuring: (inout ServerSettings) -> Void = { _ in },
        editing edit: @escaping @Sendable (inout Client) -> Void = { _ in },
        running test: @escaping @Sendable (TestBackchannelClient) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: configuring) { try await test(try await add(to: $0, editing: edit)) }
    }

    /// Asks for a person; `changes` replace parameters, and take them away where they are empty.
    func ask(_ changes: [String: String] = [:]) async throws -> TestResponse {
        var form: Form = [
            "scope": "openid profile", "login_hint": "anna", "client_notification_token": Self.token,
        ]
        for (name, value) in changes { form[name] = value }
        return try await server.post(server.path("bc-authorize"), try form.with(credentials))
    }

    /// Asks for Anna, and gets an answer.
    func asked(_ changes: [String: String] = [:]) async throws -> BackchannelAuthenticationResponse {
        let answer = try await ask(changes)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(BackchannelAuthenticationResponse.self)
    }

    /// Whether anything tells the person of a request, which waits for them in any case.
    func calls(_ asked: BackchannelAuthenticationResponse) async throws -> Bool {
        let stored = try await server.store.read { try $0.exchanges.find(asked.request.digest) }
        let terms = try #require(stored).terms
        return !terms.isSilent
    }

    /// Asks whether there is a decision.
    func poll(
        _ asked: BackchannelAuthenticationResponse,
        prefer: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.prefer] = prefer
        let form = try TokenRequest.backchannelAuthentication(asked.request).form.with(credentials)
        return try await server.post(server.path("token"), form, headers: headers)
    }

    /// The notices that wait for delivery to clients.
    func notices() async throws -> [ClientNotice] { try await server.notices() }
}

extension TestBrowser {
    /// The identifier of the request that the account page shows; `nil` when it shows none.
    func question() async throws -> String? {
        try await get("account").field("request")
    }

    /// Opens the request that the account page shows.
    func openQuestion() async throws -> TestResponse {
        let id = try #require(try await question())
        let opened = try await post("activate", ["request": id])
        let confirm = try #require(opened.location)
        return try await server.get(confirm, headers: [.cookie: cookie])
    }

    /// Opens the request that the account page shows, and answers.
    @discardableResult
    func answerQuestion(_ decision: String) async throws -> TestResponse {
        let page = try await openQuestion()
        let id = try #require(page.field("request"))
        let answer = try await post("activate/decision", ["request": id, "decision": decision])
        let place = decision == "mute" ? "account?done=muted" : "activate/result?"
        #expect(answer.location?.hasPrefix("\(server.issuer.path)/\(place)") == true)
        return answer
    }
}

extension ScriptedTransport {
    /// A client's endpoint that answers notifications like this.
    static func answeringNotifications(_ replies: Reply...) -> ScriptedTransport {
        ScriptedTransport([TestBackchannelClient.path: replies.isEmpty ? [.status(.noContent)] : replies])
    }

    /// The notifications that were sent to the client.
    func notifications() throws -> [BackchannelNotification] {
        try sent(to: TestBackchannelClient.path).map {
            try JSONDecoder().decode(BackchannelNotification.self, from: Data($0.body))
        }
    }
}
