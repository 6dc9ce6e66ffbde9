import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting

@testable import CountersignServer

/// A screen whose link a person opens, each in a network of the test's choice. The server trusts everybody as a proxy
/// that tells from where they ask.
struct TestScreenByLink: Sendable {
    static let home = "198.51.100.7"
    static let elsewhere = "203.0.113.9"

    let server: TestServer
    let codes: DeviceAuthorizationResponse

    /// Opens a server behind a proxy that names the addresses.
    static func behindProxy(
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.open(
            configuring: { settings in
                settings.trustedProxies = [AddressNetwork("192.0.2.1")!]
                configuring(&settings)
            }, test)
    }

    /// Asks from home.
    static func asking(
        _ server: TestServer,
        showingNumbers: Bool = true,
        renewingLinks: Bool = false,
        scope: String? = nil
    ) async throws -> Self {
        var headers: HTTPFields = [.xForwardedFor: home]
        let preferences = [
            showingNumbers ? NumberPreference().headerValue : nil,
            renewingLinks ? FreshLinkPreference.headerValue : nil,
        ].compactMap(\.self)
        if !preferences.isEmpty { headers[.prefer] = preferences.joined(separator: ", ") }
        var form = TestClients.tv.form
        form["scope"] = scope
        let answer = try await server.post(server.path("device_authorization"), form, headers: headers)
        return Self(server: server, codes: try answer.json(DeviceAuthorizationResponse.self))
    }

    var named: Form { ["user_code": codes.userCode.rawValue] }

    /// A person opens the link, and goes on.
    func open(_ person: TestBrowser, at address: String) async throws -> TestResponse {
        try await person.post("activate", named.with(["by_link": "1"]), headers: [.xForwardedFor: address])
    }

    /// A person types the code.
    func type(_ person: TestBrowser, at address: String) async throws -> TestResponse {
        try await person.post("activate", named, headers: [.xForwardedFor: address])
    }

    func answer(
        _ decision: String,
        _ person: TestBrowser,
        number: String? = nil,
        at address: String
    ) async throws -> TestResponse {
        var form = try named.with(["decision": decision])
        form["number"] = number
        return try await person.post("activate/decision", form, headers: [.xForwardedFor: address])
    }

    func page(_ person: TestBrowser) async throws -> String {
        try await person.get("activate/confirm?\(named.encoded)").text
    }

    /// The answer to the next poll.
    func poll(_ prefer: String? = nil) async throws -> TestResponse {
        server.clock.advance(by: .seconds(6))
        return try await server.poll(codes, prefer: prefer)
    }

    /// The number that the screen shows.
    func number() async throws -> String? {
        try await poll().json(OAuthErrorResponse.self).verificationNumber?.rawValue
    }

    /// A number that the screen does not show.
    static func another(than number: String) -> String { number == "00" ? "01" : "00" }
}
