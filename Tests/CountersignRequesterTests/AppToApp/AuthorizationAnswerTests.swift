import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignRequester

@Suite("The answer to an authorization request")
struct AuthorizationAnswerTests {
    /// The meaning of each address that FSOAuth was given, with the right `state`.
    @Test(arguments: [
        ("code=A", Expected.code("A")), ("code=a%2Bb", .code("a+b")), ("code=abc==", .code("abc==")),
        ("code=a%26error%3Dx", .code("a&error=x")), ("code=A&extra=1", .code("A")), ("code=A&&", .code("A")),
        ("error=invalid_request", .refused(.invalidRequest)), ("error=invalid_client", .refused(.invalidClient)),
        ("error=invalid_grant", .refused(.invalidGrant)),
        ("error=unauthorized_client", .refused(.unauthorizedClient)),
        ("error=unsupported_grant_type", .refused(.unsupportedGrantType)),
        ("error=redirect_uri_mismatch", .refused(OAuthError.Code("redirect_uri_mismatch"))),
        ("error=server_error&error_description=Busy", .refused(.serverError)), ("error=access_denied", .denied),
        ("error=user_cancelled_authorize", .denied), ("error=user_cancelled_login&error_description=No", .denied),
        ("error=access_denied&code=A", .rejected(.codeAndError)),
        ("code=A&error=access_denied", .rejected(.codeAndError)),
        ("error=invalid_grant&code=A", .rejected(.codeAndError)), ("code=", .rejected(.nothing)),
        ("", .rejected(.nothing)),
        ("error=", .rejected(.nothing)), ("code", .rejected(.nothing)),
        ("code=A&code=A", .rejected(.parameterRepeated)),
        ("code=A&code=B", .rejected(.parameterRepeated)), ("error=x&error=x", .rejected(.parameterRepeated)),
        ("code=A&extra=1&extra=2", .rejected(.parameterRepeated)),
    ])
    func `is read once, and safely`(query: String, expected: Expected) async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        let address = app.address(query, state: state)
        let answer = try await app.signIn.receive(address)
        #expect(Expected(answer) == expected)
        // It is over, whatever it was.
        #expect(try await app.store.keys().isEmpty)
        #expect(try await app.signIn.receive(address) == .unasked)
    }

    @Test(arguments: [
        "code=A", "code=A&state=", "code=A&state=wrong", "state=STATE&state=STATE&code=A", "code=%zz&state=STATE",
        "code=%FF&state=STATE", "code=A#state=STATE", "", "error=access_denied", "error=access_denied&state=other",
    ])
    func `has no effect without the state of a request`(query: String) async throws {
        let app = try AppUnderTest()
        let state = try #require(try await app.started()["state"])
        let address = "\(AppUnderTest.universal)?\(query.replacing("STATE", with: state))"
        #expect(try await app.signIn.receive(address) == .unasked)
        #expect(try await app.store.keys().count == 1)
        let answer = try await app.signIn.receive(app.address("code=A", state: state))
        #expect(Expected(answer) == .code("A"))
    }

    @Test func `that nobody asked for is a hint only`() async throws {
        let app = try AppUnderTest()
        #expect(try await app.signIn.receive("\(AppUnderTest.native)?code=A") == .unasked)
        #expect(try await app.signIn.receive("\(AppUnderTest.universal)?code=A&state=x") == .unasked)
        #expect(try await app.signIn.finish(with: "\(AppUnderTest.native)?error=access_denied") == .unasked)
        #expect(app.server.transport.sent().isEmpty)
    }

    @Test(arguments: [
        "", "https://app.example.com/recipes/1", "fsoauthexample://other?code=A", "\u{0}", "%%%", "mailto:a@b",
    ])
    func `is told from other links to the app`(address: String) async throws {
        let app = try AppUnderTest()
        _ = try await app.started()
        #expect(try await app.signIn.receive(address) == .otherAddress)
        #expect(try await app.store.keys().count == 1)
    }

    @Test func `counts at the redirect URI of its request only`() async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        for query in ["code=A", "error=access_denied", "code=A&code=B"] {
            let other = app.address(query, state: state, at: AppUnderTest.native)
            #expect(try await app.signIn.receive(other) == .unasked)
        }
        // Answers at the other address have changed nothing.
        #expect(Expected(try await app.signIn.receive(app.address("code=A", state: state))) == .code("A"))
    }

    @Test(arguments: [
        ("server_error", true), ("temporarily_unavailable", true), ("invalid_request", false),
        ("invalid_client", false), ("invalid_grant", false), ("unauthorized_client", false),
        ("unsupported_grant_type", false), ("invalid_scope", false),
    ])
    func `says whether the same may succeed later`(error: String, isTransient: Bool) async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("error=\(error)", state: state))
        guard case .refused(let refused) = answer else {
            Issue.record("Not refused: \(answer)")
            return
        }
        #expect(refused.isTransient == isTransient && refused.code == OAuthError.Code(error))
        let thrown = #expect(throws: SignInError.self) { try answer.get() }
        #expect(thrown?.isTransient == isTransient && thrown?.providerCode == error)
        #expect(thrown?.code != .flowNotOffered)
    }

    @Test func `does not count after the deadline`() async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        app.server.clock.advance(by: .seconds(600))
        #expect(try await app.signIn.receive(app.address("code=A", state: state)) == .rejected(.late))
    }

    @Test(arguments: [
        (true, String?.some("https%3A%2F%2Fid.example.com"), Expected.code("A")),
        (true, "https%3A%2F%2Fevil.example", .rejected(.otherIssuer)),
        (true, "https%3A%2F%2Fid.example.com%2F", .rejected(.otherIssuer)), (true, nil, .rejected(.issuerMissing)),
        (false, nil, .code("A")), (false, "https%3A%2F%2Fid.example.com", .code("A")),
        (false, "https%3A%2F%2Fevil.example", .rejected(.otherIssuer)),
    ])
    func `names the server that was asked`(promised: Bool, issuer: String?, expected: Expected) async throws {
        let app = try AppUnderTest { $0.authorizationResponseIssParameterSupported = promised }
        let state = try await app.started()["state"]
        let query = "code=A" + (issuer.map { "&iss=\($0)" } ?? "")
        #expect(Expected(try await app.signIn.receive(app.address(query, state: state))) == expected)
        #expect(app.redeemed.isEmpty)
    }

    @Test func `of another server is no refusal either`() async throws {
        let app = try AppUnderTest { $0.authorizationResponseIssParameterSupported = true }
        let state = try await app.started()["state"]
        let address = app.address("error=access_denied&iss=https%3A%2F%2Fevil.example", state: state)
        #expect(try await app.signIn.receive(address) == .rejected(.otherIssuer))
    }

    @Test func `cannot steer a log with the provider's words`() async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        let words = "error=a%1B%5B31m%0Ab&error_description=\(String(repeating: "x", count: 9_000))%0A"
        guard case .refused(let error) = try await app.signIn.receive(app.address(words, state: state)) else {
            Issue.record("It is no refusal.")
            return
        }
        #expect(!error.code.rawValue.contains("\u{1B}") && !error.code.rawValue.contains("\n"))
        #expect(error.description?.count == 200)
    }

    @Test(arguments: [
        String(repeating: "a", count: 20_000), (0..<70).map { "a\($0)=1" }.joined(separator: "&"), "a=%", "%FF=1",
        "a=%00",
    ])
    func `is no answer when it cannot be read`(query: String) async throws {
        #expect(ReturnedParameters(parsing: query).content == .failure(.unreadable))
    }

    @Test func `without a state counts only where the provider is known for that`() async throws {
        for allowing in [false, true] {
            var profile = ProviderProfile(discoveredAt: try Issuer("https://id.example.com"))
            profile.allowingAnswersWithoutState = allowing
            let app = try AppUnderTest(at: profile)
            _ = try await app.started()
            let address = "\(AppUnderTest.universal)?code=A"
            #expect(Expected(try await app.signIn.receive(address)) == (allowing ? .code("A") : .unasked))
            #expect(try await app.signIn.receive(address) == .unasked)
        }
    }

    @Test func `prints neither code nor verifier`() async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        guard case .granted(let code) = try await app.signIn.receive(app.address("code=SECRET", state: state)) else {
            Issue.record("There is no code.")
            return
        }
        #expect(!"\(code)".contains("SECRET"))
        #expect(!"\(code)".contains(code.verifier.revealed))
        #expect(!String(reflecting: code.handover).contains("SECRET"))
    }
}

/// An answer, as far as a test compares it.
enum Expected: Equatable, Sendable {
    case code(String), denied, refused(OAuthError.Code), unasked, otherAddress, rejected(AuthorizationResponseError)

    init(_ answer: AuthorizationAnswer<RedeemableCode>) {
        switch answer {
        case .granted(let code): self = .code(code.code.revealed)
        case .denied: self = .denied
        case .refused(let error): self = .refused(error.code)
        case .unasked: self = .unasked
        case .otherAddress: self = .otherAddress
        case .rejected(let fault): self = .rejected(fault)
        }
    }
}
