import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The provider of a token that is exchanged")
struct SubjectTokenChoiceTests {
    @Test func `114 is answered clearly when it is not supported`() async throws {
        try await TestConfirmingProviders.open { providers in
            try await providers.add(.socialGraph(providers.graphSettings), as: "graph")
            for name in ["weibo", "GRAPH", "graph ", "https://www.facebook.com"] {
                let answer = try await providers.exchange("a", of: .accessToken, at: name)
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
                #expect(answer.text.contains("this subject_issuer is not supported"))
            }
            #expect(providers.graph.received.isEmpty)
        }
    }

    @Test(arguments: [
        TokenTypeIdentifier.accessToken, .idToken, .oauth1Credentials,
        TokenTypeIdentifier("urn:ietf:params:oauth:token-type:saml2"),
    ])
    func `114 is answered clearly when no token of the kind is exchanged`(type: TokenTypeIdentifier) async throws {
        try await TestConfirmingProviders.open { providers in
            let none = try await providers.exchange("a", of: type)
            #expect(none.status == .badRequest && none.error == .invalidRequest)
            #expect(none.text.contains("tokens of this subject_token_type are not exchanged"))
            let kind: IdentityProvider.Kind =
                type == .accessToken ? .oauth1(providers.twitterSettings) : .socialGraph(providers.graphSettings)
            try await providers.add(kind, as: "one")
            let other = try await providers.exchange("a", of: type, at: "one")
            #expect(other.status == .badRequest && other.error == .invalidRequest)
            #expect(other.text.contains("for that subject_issuer"))
        }
    }

    @Test func `is the only one with tokens of the kind, or the one that the client names`() async throws {
        try await TestConfirmingProviders.open { providers in
            try await providers.add(.socialGraph(providers.graphSettings), as: "graph")
            try await providers.add(.oauth1(providers.twitterSettings), as: "twitter")
            try await providers.connect(GraphPerson().id, of: TestConfirmingProviders.facebook)
            let token = providers.graph.issue(GraphToken(for: providers.graph.app)).revealed
            #expect(try await providers.exchange(token, of: .accessToken).status == .ok)
            try await providers.add(.bearer(providers.bearerSettings), as: "x")
            let ambiguous = try await providers.exchange(token, of: .accessToken)
            #expect(ambiguous.error == .invalidRequest && ambiguous.text.contains("say which by subject_issuer"))
            #expect(try await providers.exchange(token, of: .accessToken, at: "graph").status == .ok)
            #expect(try await providers.exchange(token, of: .accessToken, at: "x", as: .console).isRefusal)
        }
    }

    @Test func `may be named with an ID token, too`() async throws {
        try await TestProvider.open { provider in
            try await provider.server.change(.tv) { $0.grantTypes.append(.tokenExchange) }
            try await provider.connect()
            for (name, status) in [("other", 400), ("work", 200)] {
                var request = TokenExchangeRequest(
                    SubjectToken(revealing: try await provider.idToken()), of: .idToken)
                request.subjectIssuer = name
                let form = try TokenRequest.tokenExchange(request).form.with(TestClients.tv.form)
                #expect(try await provider.server.post("/token", form).status.code == status)
            }
        }
    }
}
