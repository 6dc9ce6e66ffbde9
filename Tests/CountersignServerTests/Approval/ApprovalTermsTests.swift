import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("What a request may be approved with")
struct ApprovalTermsTests {
    @Test func `is fixed when it is made, whatever the settings say later`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask()
            let anna = try await server.browser(of: .anna)
            // As if it had been made while the server demanded two factors.
            try await server.change { repositories in
                var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
                #expect(stored.terms.demands == ScopeDemands.none)
                stored.terms = ApprovalTerms(demands: ScopeDemands([.secondFactor]))
                try repositories.exchanges.update(stored)
            }
            try await anna.take(codes)
            #expect(try await anna.answer("approve", codes).status == .forbidden)
            #expect(try await server.poll(codes).error == .authorizationPending)
        }
    }

    @Test func `asks no more than what was demanded when it was made`() async throws {
        try await TestServer.open(configuring: { $0.secondFactorScope = Scope([.openid]) }) { server in
            let codes = try await server.ask(scope: "openid")
            let anna = try await server.browser(of: .anna)
            try await server.change { repositories in
                var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
                #expect(stored.terms.demands == ScopeDemands([.secondFactor]))
                stored.terms = ApprovalTerms(demands: ScopeDemands.none)
                try repositories.exchanges.update(stored)
            }
            try await anna.decide("approve", codes)
            #expect(try await server.poll(codes).status == .ok)
        }
    }

    @Test func `stands in the audit from the moment when somebody takes it`() async throws {
        let scope = Scope([.openid])
        try await TestServer.open(
            configuring: { ($0.secondFactorScope, $0.passwordScope) = (scope, scope) }
        ) { server in
            let codes = try await server.ask(scope: "openid")
            try await server.browser(of: .anna).take(codes)
            let detail = try #require(try await server.audited(.taken).first?.detail)
            #expect(detail.contains("link: number, demanded: password second_factor"))
        }
    }
}
