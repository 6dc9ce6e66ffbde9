import Countersign
import CountersignResource
import CountersignTesting
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging

import FoundationEssentialsCompat

/// A checker that knows a few tokens by heart.
struct KnownTokens: TokenChecker {
    var tokens: [String: TokenFacts] = [
        "of-a-radio": TokenFacts(client: ClientID("17")),
        "of-anna": TokenFacts(client: ClientID("17"), person: Subject("anna-1"), displayName: "Anna"),
        "to-read": TokenFacts(client: ClientID("app"), person: Subject("anna-1"), scope: Scope([ScopeWord("read")])),
    ]
    var failure: TokenCheckError?

    func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        if let failure { throw failure }
        return tokens[token.revealed].map { .good($0) } ?? .notGood(because: "not among the known")
    }
}

/// A service with one guarded route, `/tags`, that says who asks.
struct GuardedService {
    static let discovery = CrossPlatformChallenge(
        name: "Our AP",
        uri: "https://login.example.org/ap",
        modes: [.client, .user]
    )
    static let bothModes =
        #"CPA version="1.0" name="Our AP" uri="https://login.example.org/ap" modes="client,user""#
    static let userMode = #"CPA version="1.0" name="Our AP" uri="https://login.example.org/ap" modes="user""#

    let guarded: ResourceGuard<BasicResourceRequestContext>

    init(
        _ challenge: ResourceChallenge = .crossPlatform(discovery),
        checking checker: any TokenChecker = KnownTokens(),
        clock: ManualClock = ManualClock(),
        _ change: (ResourceGuard<BasicResourceRequestContext>) -> ResourceGuard<BasicResourceRequestContext> = { $0 }
    ) {
        guarded = change(
            ResourceGuard(checking: checker, challenge: challenge, clock: clock.source)
        )
    }

    /// The answer to a request whose `Authorization` headers have these values.
    func answer(
        _ authorization: String...,
        proofs: [String] = [],
        method: HTTPRequest.Method = .get
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        for value in authorization { headers.append(HTTPField(name: .authorization, value: value)) }
        for proof in proofs { headers.append(HTTPField(name: .dpop, value: proof)) }
        let fields = headers
        let router = Router(context: BasicResourceRequestContext.self)
        for method in [HTTPRequest.Method.get, .head, .post] {
            router.group("tags").add(middleware: guarded).on("", method: method) { _, context in
                let token = try context.requireToken()
                return "\(token.mode) \(token.client?.rawValue ?? "-") \(token.person?.rawValue ?? "-")"
            }
        }
        let silent = Logger(label: "service") { _ in SwiftLogNoOpLogHandler() }
        return try await Application(router: router, logger: silent).test(.router) { client in
            try await client.execute(uri: "/tags?access_token=of-anna", method: method, headers: fields)
        }
    }
}

extension TestResponse {
    /// The values of all challenges.
    var challenges: [String] { headers[values: .wwwAuthenticate] }

    var text: String { String(buffer: body) }
}
