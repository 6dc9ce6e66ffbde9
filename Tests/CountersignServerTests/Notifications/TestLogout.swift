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

extension TestServer {
    /// Lets an app be told of sign-outs.
    func tell(_ app: TestApps, at uri: String = "https://app.example/ended") async throws {
        try await change { repositories in
            var client = try #require(try repositories.clients.find(app.id))
            client.redirects.backChannelLogout = BackChannelLogout(uri: uri)
            try repositories.clients.update(client)
        }
    }

    /// The part of the server that tells apps, over this network.
    func delivery(over transport: any HTTPTransport) -> NoticeDelivery {
        server.notices(over: transport)
    }

    /// The notices that wait for delivery.
    func notices() async throws -> [ClientNotice] {
        try await store.read { try $0.clientNotices.due(at: .distantFuture, limit: 100) }
    }

    /// The session that an app knows after it signed the person of a browser in.
    func session(of browser: TestBrowser, at app: TestApps) async throws -> String {
        // A person who allowed the app before is not asked again.
        let known = try await browser.authorize(app.request).authorization?.code
        let code = if let known { known } else { try await browser.code(for: app) }
        let tokens = try await redeem(code, as: app).json(TokenResponse.self)
        let token = try #require(tokens.idToken)
        return try #require(try await read(token.revealed).text("sid"))
    }
}

extension ScriptedTransport {
    /// An app that takes what it is told.
    static func listening(answering replies: Reply...) -> ScriptedTransport {
        let replies = replies.isEmpty ? [Reply.status(.ok)] : replies
        return ScriptedTransport(["/ended": replies])
    }

    /// The logout tokens that were sent.
    var logoutTokens: [String] { sent(to: "/ended").compactMap { $0.form["logout_token"] } }
}

extension ClientNotice {
    /// The session that has ended; `nil` for another matter.
    var session: SessionID? {
        guard case .sessionEnded(let session) = matter else { return nil }
        return session
    }
}
