import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("The database", .server)
struct StoredSecretsTests {
    let server = TestServer.current

    @Test func `holds no secret that anybody was given`() async throws {
        let codes = try await server.ask(as: .radio)
        let browser = try await server.browser(of: .anna)
        try await browser.decide("approve", codes)
        let first = try await server.poll(codes, as: .radio).json(TokenResponse.self)
        let second = try await server.refresh(first.refreshToken, as: .radio).json(TokenResponse.self)
        let opaque = try await server.signedIn(.console)
        let third = try await server.refresh(opaque.refreshToken, as: .console).json(TokenResponse.self)

        var secrets = [codes.deviceCode.revealed, codes.userCode.rawValue, browser.formToken]
        secrets.append(codes.userCode.rawValue.replacingOccurrences(of: "-", with: ""))
        secrets.append(try #require(browser.cookie.split(separator: "=").last.map(String.init)))
        secrets += TestPerson.allCases.map(\.password.revealed)
        secrets += TestClients.allCases.compactMap(\.secret?.revealed)
        for tokens in [first, second, opaque, third] {
            secrets.append(tokens.accessToken.revealed)
            secrets.append(try #require(tokens.refreshToken).revealed)
            secrets.append(try #require(tokens.idToken).revealed)
        }
        let bytes = try server.databaseBytes()
        #expect(bytes.range(of: Data("subject-of-anna".utf8)) != nil)
        for secret in secrets {
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
            if let raw = URLSafeText.decode(secret), raw.count >= 32 { #expect(bytes.range(of: Data(raw)) == nil) }
        }
    }

    @Test func `keeps the answer to a refresh for an hour, readable by the token's holder alone`() async throws {
        let token = try #require(try await server.signedIn().refreshToken)
        let answer = try await server.refresh(token)
        let found = try #require(try await server.store.read { try RefreshTokens($0).find(token) })
        #expect(!found.isNewest)
        let stored = found.newest
        let kept = try #require(try await server.store.read { try $0.repeatableAnswers.find(stored.grant) })
        let now = server.clock.date
        let credential = AnsweredCredential(token, shownBy: .network(nil))
        #expect(kept.repeated(to: credential, within: 60, at: now) == Array(answer.body.readableBytesView))
        let successor = try #require(try answer.json(TokenResponse.self).refreshToken)
        #expect(kept.answer.opened(with: AnsweredCredential(successor, shownBy: .network(nil))) == nil)

        server.clock.advance(by: .seconds(3601))
        try await server.maintenance().sweep()
        #expect(try await server.store.read { try $0.repeatableAnswers.find(stored.grant) } == nil)
    }
}
