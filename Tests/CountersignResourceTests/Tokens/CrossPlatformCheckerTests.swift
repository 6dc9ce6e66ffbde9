import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignResource

@Suite("A checker of Cross-Platform Authentication")
struct CrossPlatformCheckerTests {
    let provider = ScriptedProvider()
    let clock = ManualClock()
    let token = AccessToken(revealing: "the-token")

    private func verdict(
        on reply: ScriptedTransport.Reply
    ) async throws -> Result<TokenVerdict, TokenCheckError> {
        provider.network.reply(at: "/ap/authorized", with: reply)
        let checker = try CrossPlatformChecker(
            at: Issuer("https://login.example.org/ap"),
            for: Domain("sp:8002"),
            credential: ServiceCredential(revealing: "the-credential"),
            over: provider
        )
        do throws(TokenCheckError) {
            return .success(try await checker.check(token, at: clock.date))
        } catch {
            return .failure(error)
        }
    }

    private func json(_ text: String, _ status: HTTPResponse.Status = .ok) -> ScriptedTransport.Reply {
        .text(text, type: "application/json; charset=utf-8", status: status)
    }

    @Test func `asks as the standard says`() async throws {
        _ = try await verdict(on: json(#"{"client_id": 4}"#))
        let sent = try #require(provider.network.sent().first)
        #expect(sent.request.method == .post)
        #expect(sent.path == "/ap/authorized")
        #expect(sent.request.authority == "login.example.org")
        #expect(sent.request.headerFields[.authorization] == "Bearer the-credential")
        #expect(sent.request.headerFields[.contentType] == "application/json")
        let members = try TextMembers(parsing: sent.body)
        #expect(members.names == ["access_token", "domain"])
        #expect(members["access_token"] == "the-token")
        #expect(members["domain"] == "sp:8002")
    }

    @Test func `finds the app behind a client's token`() async throws {
        let found = try await verdict(on: json(#"{"client_id": 4}"#))
        #expect(try found.get() == .good(TokenFacts(client: ClientID("4"))))
    }

    @Test(arguments: [
        #"{"client_id":2,"user_id":"3","display_name":"Anna","photo_url":"https://example.org/a.png"}"#,
        #"{"client_id":"2","user_id":3,"display_name":"An\u202ena"}"#,
    ])
    func `finds the person behind a user's token`(body: String) async throws {
        let facts = TokenFacts(client: ClientID("2"), person: Subject("3"), displayName: "Anna")
        #expect(try await verdict(on: json(body)).get() == .good(facts))
    }

    @Test func `finds a person whose name is not told`() async throws {
        let found = try await verdict(on: json(#"{"client_id":2,"user_id":"3","display_name":null}"#))
        #expect(try found.get() == .good(TokenFacts(client: ClientID("2"), person: Subject("3"))))
    }

    /// Standard: RFC 9449 §6.2.
    @Test func `passes on the key to which a token is bound`() async throws {
        let key = DPoPKey(drawingFrom: .system).thumbprint
        let found = try await verdict(on: json(#"{"client_id":4,"cnf":{"jkt":"\#(key.rawValue)"}}"#))
        #expect(try found.get() == .good(TokenFacts(client: ClientID("4"), key: .proof(key))))
    }

    @Test(arguments: ["{}", #"{"kid":"one"}"#])
    func `refuses a token that is bound in another way`(confirmation: String) async throws {
        let found = try await verdict(on: json(#"{"client_id":4,"cnf":\#(confirmation)}"#))
        guard case .notGood = try found.get() else { return #expect(Bool(false), "it passed") }
    }

    @Test func `refuses a token that the provider does not know`() async throws {
        for reply in [json(#"{"error":"not_found"}"#, .notFound), .status(.notFound)] {
            guard case .notGood = try await verdict(on: reply).get() else {
                Issue.record("it passed")
                continue
            }
        }
    }

    @Test(arguments: ["<html>not found</html>", #"{"message":"no route"}"#, #"{"error":"invalid_request"}"#])
    func `does not take a page that is missing for a token that is`(body: String) async throws {
        let failure = TokenCheckError(.badAnswer, because: "")
        let found = try await verdict(on: json(body, .notFound))
        #expect(throws: failure) { try found.get() }
    }

    @Test(arguments: [
        "", "[]", "{}", "null", #"{"client_id":null}"#, #"{"client_id":""}"#, #"{"client_id":{}}"#,
        #"{"user_id":"3"}"#, #"{"client_id":1,"user_id":""}"#, #"{"client_id":1,"user_id":[]}"#, "<html>",
        #"{"client_id":1,"cnf":"key"}"#, #"{"client_id":1,"cnf":{"jkt":"short"}}"#,
    ])
    func `lets nobody in by an answer that is not the standard's`(body: String) async throws {
        let found = try await verdict(on: json(body))
        #expect(throws: TokenCheckError(.badAnswer, because: "")) { try found.get() }
    }

    @Test(arguments: [
        (401, TokenCheckError.Code.notAccepted), (400, .notAccepted), (403, .notAccepted), (500, .unreachable),
        (502, .unreachable), (429, .busy), (503, .busy), (302, .badAnswer), (410, .badAnswer),
    ])
    func `says why nobody can say`(status: Int, code: TokenCheckError.Code) async throws {
        let found = try await verdict(on: json(#"{"error":"unauthorized"}"#, .init(code: status)))
        #expect(throws: TokenCheckError(code, because: "")) { try found.get() }
    }

    @Test func `passes on how long the provider wants to be left alone`() async throws {
        let found = try await verdict(on: .status(.tooManyRequests, fields: [.retryAfter: "17"]))
        guard case .failure(let failure) = found else { return #expect(Bool(false), "it passed") }
        #expect(failure.retryAfter == 17)
    }

    @Test func `reports a provider that is not there, and tells nothing of what it sent`() async throws {
        let found = try await verdict(on: .failure(TransportError(.notReached, because: "nobody listens")))
        guard case .failure(let failure) = found else { return #expect(Bool(false), "it passed") }
        #expect(failure.code == .unreachable)
        #expect(!"\(failure)".contains("the-token") && !"\(failure)".contains("the-credential"))
    }

    @Test func `talks by plain http to this machine only`() throws {
        let remote = try Issuer("http://login.example.org/ap", allowingInsecureHTTP: true)
        #expect(throws: Endpoint.ParsingError.insecure) {
            _ = try CrossPlatformChecker(
                at: remote,
                for: Domain("sp"),
                credential: ServiceCredential(revealing: "secret"),
                over: provider
            )
        }
    }
}
