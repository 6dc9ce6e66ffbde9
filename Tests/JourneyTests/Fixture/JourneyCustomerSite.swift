import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

/// A site that may reach Anna by her number.
struct JourneyCustomerSite: Sendable {
    let server: JourneyServer
    let environment: CustomerSite
    let secret: CustomerSiteSecret

    private static let number = "+31612345678"

    /// Adds it to a server.
    static func added(to server: JourneyServer) async throws -> JourneyCustomerSite {
        let store = try #require(await server.store)
        let (environment, secret) = try await CustomerSiteRegistry(
            of: store, mint: CodeMint(drawingFrom: .system), clock: server.clock.source
        ).add(CustomerSiteDraft(name: "My Bank"))
        let number = try PhoneNumber(Self.number)
        let now = server.clock.date
        try await server.change {
            try $0.phoneNumbers.keep(PhoneNumberRecord(number, of: JourneyPerson.anna.subject, verified: now))
        }
        return JourneyCustomerSite(server: server, environment: environment, secret: secret)
    }

    /// Asks Anna whether she pays.
    ///
    /// - Parameter type: The type of the message that tells her of it (`message_type`).
    func ask(by type: String) async throws -> AuthenticationRequest {
        let body = """
            {"environment_id":"\(environment.id)","to":"\(Self.number)","expiry":300,"message_type":"\(type)",\
            "text":"Pay 5 euro","ip":"203.0.113.7"}
            """
        let token = CustomerSiteToken.text(
            by: secret, body: Array(body.utf8), at: server.clock.date, lifetime: 60)
        var request = try Endpoint("\(server.issuer)/auth/v1.0/instant", allowingInsecureHTTP: true).request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.authorization] = "Bearer \(token)"
        let answer = try await SystemTransport.make().send(request, body: Array(body.utf8), within: .seconds(60))
        return try JSONDecoder().decode(AuthenticationRequest.self, from: Data(answer.body))
    }
}
