internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// The pages that sign a browser out.
///
/// Standard: OpenID Connect RP-Initiated Logout 1.0 §2, §3.
struct SignOutPages: Sendable {
    let services: GateServices

    /// `GET /gate/sign-out`: leads to the server, which asks the person. It ends nothing by itself.
    func ask(at site: GateSite) async throws(GateAnswerError) -> Response {
        guard let page = try await services.addresses().endSession?.url.absoluteString else {
            throw .refused("The server has no page to sign out.")
        }
        let form: Form = [
            "client_id": services.configuration.client.rawValue,
            "post_logout_redirect_uri": site.address(.signedOut),
        ]
        return .leading(to: form.location(at: page))
    }

    /// `POST /gate/sign-out` by a page of the site: ends the session here, and leads to the server.
    func end(_ request: Request, at site: GateSite) async throws(GateAnswerError) -> Response {
        guard request.headers[values: .origin] == [site.origin.rawValue] else {
            throw .refused("Only a page of this site can sign out.")
        }
        await services.endSession(of: request.headers, at: site)
        var response = try await ask(at: site)
        response.status = .seeOther
        response.headers[values: .setCookie] = site.takenCookies
        return response
    }

    /// `GET /gate/signed-out`: the return from the server. The session ends if the server says so.
    func finish(_ request: Request, at site: GateSite) async -> Response {
        guard let cookie = services.cookie(of: request.headers, at: site) else { return Self.signedOut }
        guard await services.sessions.find(cookie, at: site.sessionPlace.name, freshly: true) == .nobody else {
            return .leading(to: "\(site.origin)/")
        }
        var response = Self.signedOut
        response.headers[values: .setCookie] = site.takenCookies
        return response
    }

    /// The page for a browser without a session; the site itself would lead it to sign in.
    private static var signedOut: Response {
        PlainPage(heading: "You are signed out", link: .site).response(status: .ok)
    }
}
