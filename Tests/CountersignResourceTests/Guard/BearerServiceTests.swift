import Countersign
import CountersignResource
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("A service of bearer tokens")
struct BearerServiceTests {
    let service = GuardedService(.bearer(realm: "radio"))

    @Test(arguments: [nil, "Basic YTpi", "DPoP of-anna"] as [String?])
    func `names no error to whoever shows no bearer token`(header: String?) async throws {
        let answer = if let header { try await service.answer(header) } else { try await service.answer() }
        #expect(answer.status == .unauthorized)
        #expect(answer.challenges == [#"Bearer realm="radio""#])
    }

    @Test(arguments: ["Bearer", "Bearer a b", "Bearer a,b", "", "@"])
    func `answers a header of another form with invalid_request`(header: String) async throws {
        let answer = try await service.answer(header)
        #expect(answer.status == .badRequest)
        #expect(answer.challenges.first?.hasPrefix(#"Bearer realm="radio", error="invalid_request", "#) == true)
        #expect(answer.text.contains(#""error":"invalid_request""#))
    }

    @Test func `answers a token that is not good with invalid_token`() async throws {
        let answer = try await service.answer("Bearer nobody-knows-it")
        #expect(answer.status == .unauthorized)
        #expect(
            answer.challenges == [
                #"Bearer realm="radio", error="invalid_token", error_description="the access token is not good""#
            ]
        )
    }

    @Test func `lets a good token in, and says nothing more`() async throws {
        let answer = try await service.answer("Bearer of-a-radio")
        #expect(answer.status == .ok)
        #expect(answer.challenges.isEmpty)
    }

    @Test func `answers a token that allows too little with 403 and what is needed`() async throws {
        let service = GuardedService(.bearer(realm: "radio")) {
            $0.requiring(Scope([ScopeWord("read")])).requiring(Scope([ScopeWord("write")]))
        }
        let answer = try await service.answer("Bearer to-read")
        #expect(answer.status == .forbidden)
        #expect(
            answer.challenges == [
                #"Bearer realm="radio", error="insufficient_scope", "#
                    + #"error_description="the token does not allow enough", scope="read write""#
            ]
        )
        #expect(answer.text.contains(#""error":"insufficient_scope""#))
        #expect(try await service.answer().challenges == [#"Bearer realm="radio", scope="read write""#])
    }

    @Test func `lets a token in that allows enough`() async throws {
        let service = GuardedService(.bearer(realm: "radio")) { $0.requiring(Scope([ScopeWord("read")])) }
        #expect(try await service.answer("Bearer to-read").status == .ok)
    }

    @Test func `that wants a person answers an app's own token with 403`() async throws {
        let service = GuardedService(.bearer(realm: "radio")) { $0.requiringPerson() }
        let answer = try await service.answer("Bearer of-a-radio")
        #expect(answer.status == .forbidden)
        #expect(answer.challenges.first?.contains(#"error="insufficient_scope""#) == true)
        #expect(try await service.answer("Bearer of-anna").status == .ok)
    }

    @Test func `may speak both ways, each in a header of its own`() async throws {
        let service = GuardedService(.both(GuardedService.discovery, realm: "radio"))
        let answer = try await service.answer("Bearer nobody-knows-it")
        #expect(answer.challenges.count == 2)
        #expect(answer.challenges.first == GuardedService.bothModes)
        #expect(answer.challenges.last?.hasPrefix(#"Bearer realm="radio", error="invalid_token""#) == true)
        #expect(CrossPlatformChallenge(headerValues: answer.challenges) == GuardedService.discovery)
    }

    @Test func `leaves out of its realm what would end the quotes`() async throws {
        let answer = try await GuardedService(.bearer(realm: "a\"b\\c\r\nd é")).answer()
        #expect(answer.challenges == [#"Bearer realm="abcd ""#])
    }
}
