import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// An addition of ours to RFC 6749 §6, with the thief beside each client.
@Suite("A refresh whose answer was lost", .server)
struct LostRefreshTests {
    let server = TestServer.current
    private let id = TokenRequestID(drawingFrom: .system)
    private let here = "192.0.2.7"
    private let elsewhere = "198.51.100.9"
    private static let weeks: [Duration] = [.seconds(12), .seconds(3 * 3600), .seconds(20 * 86_400)]

    @Test(arguments: weeks)
    func `gives the same successor to the same identifier, from anywhere and however late`(
        late: Duration
    ) async throws {
        let token = try await server.signedIn().refreshToken
        let lost = try #require(try await server.refresh(token, from: here, id: id).tokens)
        server.clock.advance(by: late)
        try await server.maintenance().sweep()
        let again = try #require(try await server.refresh(token, from: elsewhere, id: id).tokens)
        #expect(again.refreshToken == lost.refreshToken)
        #expect(try await server.honours(again.accessToken))
        let next = try #require(try await server.refresh(again.refreshToken, from: here).tokens)
        #expect(next.refreshToken != again.refreshToken)
    }

    @Test(arguments: weeks)
    func `ends for a thief without the identifier, who ends the sign-in`(late: Duration) async throws {
        let token = try await server.signedIn().refreshToken
        let lost = try #require(try await server.refresh(token, from: here, id: id).tokens)
        server.clock.advance(by: late)
        // In the same network too: whoever drew an identifier has it.
        let stolen = try await server.refresh(token, from: here)
        #expect(stolen.error == .invalidGrant)
        #expect(try await !server.honours(lost.accessToken))
        #expect(try await server.refresh(token, from: here, id: id).error == .invalidGrant)
        #expect(try await server.refresh(lost.refreshToken, from: here).error == .invalidGrant)
    }

    @Test func `gives a thief without the identifier nothing in the first seconds, and ends nothing`() async throws {
        let token = try await server.signedIn().refreshToken
        let lost = try #require(try await server.refresh(token, from: here, id: id).tokens)
        let others: [TokenRequestID?] = [nil, TokenRequestID(drawingFrom: .system)]
        for other in others {
            #expect(try await server.refresh(token, from: here, id: other).error == .invalidGrant)
        }
        #expect(try await server.refresh(token, from: here, id: id).tokens == lost)
    }

    @Test func `tells a client with an identifier that a thief was first`() async throws {
        let token = try await server.signedIn().refreshToken
        let stolen = try #require(try await server.refresh(token, from: elsewhere).tokens)
        server.clock.advance(by: .seconds(11))
        #expect(try await server.refresh(token, from: here, id: id).error == .invalidGrant)
        #expect(try await !server.honours(stolen.accessToken))
    }

    @Test func `is over once the successor was used`() async throws {
        let token = try await server.signedIn().refreshToken
        let second = try #require(try await server.refresh(token, from: here, id: id).tokens)
        let third = try #require(try await server.refresh(second.refreshToken, from: here, id: id).tokens)
        #expect(try await server.refresh(token, from: here, id: id).error == .invalidGrant)
        #expect(try await !server.honours(third.accessToken))
    }

    @Test func `says how long the access token still lives, and brings a fresh one when it has expired`() async throws {
        let token = try await server.signedIn(.radio).refreshToken
        let lost = try #require(try await server.refresh(token, as: .radio, from: here, id: id).tokens)
        #expect(lost.expiresIn == 300)
        server.clock.advance(by: .seconds(100))
        let again = try #require(try await server.refresh(token, as: .radio, from: here, id: id).tokens)
        #expect(again.accessToken == lost.accessToken)
        #expect(again.expiresIn == 200)
        #expect(again.idToken == lost.idToken)
        server.clock.advance(by: .seconds(200))
        let renewed = try #require(try await server.refresh(token, as: .radio, from: here, id: id).tokens)
        #expect(renewed.accessToken != lost.accessToken)
        #expect(renewed.expiresIn == 300)
        #expect(renewed.refreshToken == lost.refreshToken)
        #expect(renewed.idToken != nil && renewed.idToken != lost.idToken)
        #expect(renewed.scope == lost.scope)
        // The fresh one is the answer from now on.
        let same = try #require(try await server.refresh(token, as: .radio, from: here, id: id).tokens)
        #expect(same == renewed)
        #expect(try await server.rows(of: "repeatable_answers") == 1)
    }

    @Test func `brings one fresh access token, however many ask at once`() async throws {
        let token = try await server.signedIn(.radio).refreshToken
        _ = try #require(try await server.refresh(token, as: .radio, from: here, id: id).tokens)
        server.clock.advance(by: .seconds(1000))
        let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<20 {
                group.addTask { try await server.refresh(token, as: .radio, from: here, id: id).bytes }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await server.rows(of: "refresh_tokens") == 1)
    }

    @Test func `follows a proof of the same key, however late, and no other`() async throws {
        let (key, other) = (DPoPKey(drawingFrom: .system), DPoPKey(drawingFrom: .system))
        let token = try await server.signedIn(proving: key).refreshToken
        let lost = try #require(try await server.refresh(token, from: here, headers: try server.proof(by: key)).tokens)
        server.clock.advance(by: .seconds(7 * 3600))
        // A thief without the key gets nothing, and ends nothing.
        for fields in [[:], try server.proof(by: other)] {
            #expect(try await server.refresh(token, from: here, headers: fields).error == .invalidGrant)
        }
        let again = try #require(
            try await server.refresh(token, from: elsewhere, headers: try server.proof(by: key)).tokens)
        #expect(again.refreshToken == lost.refreshToken)
        #expect(again.tokenType == "DPoP")
        #expect(try await server.honours(again.accessToken, provenBy: key))
        let next = try await server.refresh(
            again.refreshToken, from: here, headers: try server.proof(by: key))
        #expect(next.isGood)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("192.0.2.7", nil, false),
        (nil, nil, false), ("2001:db8:1:2::7", "2001:db8:1:2:ffff::9", true),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", false), ("::ffff:192.0.2.7", "192.0.2.7", true),
    ])
    func `is repeated for an hour in the network of the answer, to a client without identifiers`(
        first: String?,
        second: String?,
        isRepeated: Bool
    ) async throws {
        let token = try await server.signedIn().refreshToken
        let lost = try #require(try await server.refresh(token, from: first).tokens)
        // For ten seconds from everywhere, as before.
        server.clock.advance(by: .seconds(9))
        #expect(try await server.refresh(token, from: elsewhere).tokens == lost)
        server.clock.advance(by: .seconds(3590))
        try await server.maintenance().sweep()
        let again = try await server.refresh(token, from: second)
        #expect(again.isGood == isRepeated)
        #expect(again.tokens?.refreshToken == (isRepeated ? lost.refreshToken : nil))
        // A thief from elsewhere ended the sign-in.
        #expect(try await server.refresh(lost.refreshToken, from: first).isGood == isRepeated)
    }

    @Test(arguments: [(3600.0, 3599.0, true), (3600, 3600, false), (60, 59, true), (60, 60, false), (0, 11, false)])
    func `is repeated in its network for as long as the setting says`(
        window: Double,
        late: Double,
        isRepeated: Bool
    ) async throws {
        try await TestServer.open(configuring: { $0.lostAnswerWindow = window }) { server in
            let token = try await server.signedIn().refreshToken
            _ = try #require(try await server.refresh(token, from: here).tokens)
            server.clock.advance(by: .seconds(late))
            #expect(try await server.refresh(token, from: here).isGood == isRepeated)
        }
    }

    @Test(.server(issuer: "https://id.example.com"))
    func `is no network of one client behind a balancer that was not named`() async throws {
        let token = try await server.signedIn().refreshToken
        _ = try #require(try await server.refresh(token, from: "10.0.0.3").tokens)
        server.clock.advance(by: .seconds(11))
        #expect(try await server.refresh(token, from: "10.0.0.3").error == .invalidGrant)
    }

    @Test func `takes a text that is no secret for no identifier`() async throws {
        for text in [
            "", "42", String(repeating: "é", count: 30), String(repeating: "a", count: 129), "0123456789 0123456789-",
        ] {
            #expect(TokenRequestID(form: [TokenRequestID.parameter: text]) == nil, "\(text)")
        }
        #expect(TokenRequestID(form: [TokenRequestID.parameter: id.revealed]) == id)
        #expect(id.revealed.utf8.count == 22)
        #expect(TokenRequestID(form: [:]) == nil)
    }

    @Test func `is not repeated where the person, the client or the registration says no by then`() async throws {
        for change in ["locked", "less", "signed out"] {
            try await TestServer.open { server in
                let first = try await server.signedIn()
                let lost = try #require(try await server.refresh(first.refreshToken, from: here, id: id).tokens)
                server.clock.advance(by: .seconds(100))
                switch change {
                case "locked": try await server.lock(.anna)
                case "less": try await server.change(.tv) { $0.scope = Scope([.openid]) }
                default:
                    var form = TestClients.tv.form
                    form["token"] = lost.refreshToken?.revealed
                    #expect(try await server.post("/revoke", form).status == .ok)
                }
                // No sign-out: the token is good again when the person is unlocked.
                let expected: OAuthError.Code = change == "locked" ? .accessDenied : .invalidGrant
                #expect(try await server.refresh(first.refreshToken, from: here, id: id).error == expected)
            }
        }
    }
}
