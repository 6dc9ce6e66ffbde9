import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A screen that opens a page on its own device, where the provider's app may take it.
struct TestScreenHere: Sendable {
    static let redirectURI = "http://127.0.0.1:49152/callback"
    /// A way back that the same client may name.
    static let other = try? RedirectURI("http://127.0.0.1:49153/callback")

    let server: TestServer
    let codes: DeviceAuthorizationResponse

    /// The page, as the system reads it that opens the provider's app with it.
    var page: AuthorizationAddress {
        get throws { try #require(codes.browserURI.flatMap { AuthorizationAddress(parsing: $0) }) }
    }

    func poll(over links: NearbyLinkID...) async throws -> TestResponse {
        server.clock.advance(by: .seconds(6))
        let form = TokenRequest.deviceCode(codes.deviceCode, over: NearbyLinks(links)).form
        return try await server.post(server.path("token"), try form.with(TestClients.tv.form))
    }

    /// The exchange of the request.
    var exchange: SignInExchange? {
        get async throws { try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange } }
    }
}

extension TestServer {
    /// A screen that asks, and names a way back.
    func screenHere(
        scope: String? = nil,
        returningTo redirectURI: String = TestScreenHere.redirectURI
    ) async throws -> TestScreenHere {
        try await change(.tv) {
            $0.redirects.redirectURIs = ["http://127.0.0.1/callback", "https://tv.example.com/signed-in"]
        }
        var form = TestClients.tv.form
        form["scope"] = scope
        form["redirect_uri"] = redirectURI
        form["state"] = "a state"
        form["device_name"] = "Big screen"
        let answer = try await post(path("device_authorization"), form)
        return TestScreenHere(server: self, codes: try answer.json(DeviceAuthorizationResponse.self))
    }
}

/// The provider's own app, which the system opens with the page of a screen.
extension TestApprover {
    func look(at screen: TestScreenHere) async throws -> TestResponse {
        guard case .activation(let code, returningTo: let redirectURI) = try screen.page.kind else {
            throw NothingToDecide(answer: "another address")
        }
        return try await look(.activation(code, returningTo: redirectURI))
    }

    func shown(_ screen: TestScreenHere) async throws -> Shown<ActivationLook> { try shown(try await look(at: screen)) }

    func claims(on shown: Shown<ActivationLook>, _ answer: DecisionClaims.Answer = .approve) throws -> DecisionClaims {
        let finding = ActivationFinding(returningTo: try RedirectURI(shown.response.redirectURI))
        return claims(answer, by: .activation(finding), on: shown)
    }

    /// Looks and decides.
    @discardableResult
    func decide(_ answer: DecisionClaims.Answer, _ screen: TestScreenHere) async throws -> TestResponse {
        try await send(try claims(on: try await shown(screen), answer))
    }
}

extension AuthorizationAnswerAddress {
    /// The answer that the address brings back to a screen.
    var back: BrowserReturnResponse? {
        guard let mark = revealed.lastIndex(of: "?") else { return nil }
        let query = revealed[revealed.index(after: mark)...]
        return (try? Form(parsing: Array(query.utf8))).flatMap { try? BrowserReturnResponse(form: $0) }
    }
}
