import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A request that an app was shown, in one of the ways that it finds one, with the decision that it would sign.
struct FoundRequest: Sendable {
    let approver: TestApprover
    let claims: DecisionClaims
    /// The parameters of an authorization request.
    var parameters: String?

    func send(_ claims: DecisionClaims? = nil, by other: TestApprover? = nil) async throws -> TestResponse {
        try await (other ?? approver).send(claims ?? self.claims, on: parameters)
    }

    func send(text: String, by other: TestApprover? = nil) async throws -> TestResponse {
        try await (other ?? approver).send(text, on: parameters)
    }

    /// The decision about it that was recorded last; `nil` for none.
    var recorded: SignedDecisionRecord? {
        get async throws {
            try await approver.server.store.read { try $0.signedDecisions.find(claims.exchange) }
        }
    }
}

extension TestServer {
    /// An app that finds requests in one way.
    func approver(_ method: ApprovalMethod, of person: TestPerson = .anna) async throws -> TestApprover {
        switch method {
        case .nearby, .authorization, .activation: try await providersApp(of: person)
        case .inbox: try await authenticator(of: person)
        }
    }

    /// A new request for Anna, as her app was shown it; it needs the `TestApps`.
    func found(
        _ method: ApprovalMethod,
        by approver: TestApprover,
        answering answer: DecisionClaims.Answer = .approve
    ) async throws -> FoundRequest {
        switch method {
        case .nearby:
            let screen = try await screenNearby()
            let shown = try await approver.shown(screen)
            return FoundRequest(approver: approver, claims: approver.claims(on: shown, answer, over: screen.link))
        case .authorization:
            let looked = try await approver.looked(at: .shop)
            return FoundRequest(
                approver: approver, claims: approver.claims(on: looked, answer), parameters: looked.parameters)
        case .activation:
            let shown = try await approver.shown(try await screenHere())
            return FoundRequest(approver: approver, claims: try approver.claims(on: shown, answer))
        case .inbox:
            let client = TestBackchannelClient(server: self)
            let isKnown = try await store.read { try $0.clients.find(client.id) != nil }
            if !isKnown { try await client.register() }
            _ = try await client.asked()
            return FoundRequest(
                approver: approver, claims: approver.claims(on: try await approver.shown(), answer))
        }
    }
}
