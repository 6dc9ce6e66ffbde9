import Countersign
import CountersignResource
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("A service of Cross-Platform Authentication")
struct CrossPlatformServiceTests {
    let service = GuardedService()

    @Test func `tells a request without a token where tokens come from`() async throws {
        let answer = try await service.answer()
        #expect(answer.status == .unauthorized)
        #expect(answer.challenges == [GuardedService.bothModes])
        #expect(answer.text.isEmpty)
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test func `does not look for a token in the query`() async throws {
        #expect(try await service.answer().status == .unauthorized)
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Basic YTpi", "of-anna", "Bearer of anna", "Bearer of-anna, Bearer of-anna",
        "Bearer \"of-anna\"", "DPoP of-anna", "Bearer=of-anna", "CPA of-anna",
    ])
    func `answers a header of another form with 400 and without a challenge`(header: String) async throws {
        let answer = try await service.answer(header)
        #expect(answer.status == .badRequest)
        #expect(answer.challenges.isEmpty)
        #expect(answer.text.contains(#""error":"invalid_request""#))
        #expect(answer.headers[.contentType] == "application/json")
    }

    @Test func `answers two headers with 400, even with the same token`() async throws {
        #expect(try await service.answer("Bearer of-anna", "Bearer of-anna").status == .badRequest)
        #expect(try await service.answer("Bearer of-anna", "Basic YTpi").status == .badRequest)
    }

    @Test(arguments: ["Bearer nobody-knows-it", "bearer OF-ANNA", "Bearer \(String(repeating: "a", count: 9000))"])
    func `answers a token that is not good like none`(header: String) async throws {
        let answer = try await service.answer(header)
        #expect(answer.status == .unauthorized)
        #expect(answer.challenges == [GuardedService.bothModes])
        #expect(answer.text.isEmpty)
    }

    @Test func `lets an app without a person in, and offers more`() async throws {
        let answer = try await service.answer("Bearer of-a-radio")
        #expect(answer.status == .ok)
        #expect(answer.text == "client 17 -")
        #expect(answer.challenges == [GuardedService.userMode])
    }

    @Test func `offers nothing more where no mode is left`() async throws {
        let onlyClients = CrossPlatformChallenge(name: "AP", uri: "https://login.example.org/ap", modes: [.client])
        let answer = try await GuardedService(.crossPlatform(onlyClients)).answer("Bearer of-a-radio")
        #expect(answer.status == .ok)
        #expect(answer.challenges.isEmpty)
    }

    @Test(arguments: ["Bearer of-anna", "bearer of-anna", "BEARER   of-anna"])
    func `lets a person in, and says nothing more`(header: String) async throws {
        let answer = try await service.answer(header)
        #expect(answer.status == .ok)
        #expect(answer.text == "user 17 anna-1")
        #expect(answer.challenges.isEmpty)
    }

    @Test func `that wants a person answers an app's own token with 401 and the one mode`() async throws {
        let service = GuardedService { $0.requiringPerson() }
        for header in ["Bearer of-a-radio", "Bearer nobody-knows-it"] {
            let answer = try await service.answer(header)
            #expect(answer.status == .unauthorized)
            #expect(answer.challenges == [GuardedService.userMode])
        }
        #expect(try await service.answer().challenges == [GuardedService.userMode])
        #expect(try await service.answer("Bearer of-anna").status == .ok)
    }

    @Test func `can let web pages read its challenge`() async throws {
        let service = GuardedService { $0.exposingChallenge() }
        let names = "Content-Type, WWW-Authenticate, Content-Length, X-Requested-With"
        for header in ["Bearer of-anna", "Bearer nobody-knows-it", "Basic YTpi"] {
            let answer = try await service.answer(header)
            #expect(answer.headers[values: .accessControlExposeHeaders] == [names])
        }
        let closed = try await self.service.answer("Bearer of-anna")
        #expect(closed.headers[values: .accessControlExposeHeaders].isEmpty)
    }

    @Test(arguments: [(nil, "5"), (30, "30"), (0, "1"), (100_000, "300")] as [(Int?, String)])
    func `answers with 503 when nobody can say what a token is worth`(asked: Int?, told: String) async throws {
        for code in TokenCheckError.Code.allCases {
            let failure = TokenCheckError(code, retryAfter: asked, because: "a test")
            let answer = try await GuardedService(checking: KnownTokens(failure: failure)).answer("Bearer of-anna")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.headers[.retryAfter] == told)
            #expect(answer.challenges.isEmpty)
            #expect(!answer.text.contains("a test"))
        }
    }

    @Test func `answers HEAD without a body`() async throws {
        for header in ["Basic YTpi", "Bearer nobody-knows-it"] {
            let answer = try await service.answer(header, method: .head)
            #expect(answer.body.readableBytes == 0)
            #expect(answer.status.code >= 400)
        }
    }
}
