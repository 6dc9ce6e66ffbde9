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
        response.headers[.setCookie] = site.takenCookie
        return response
    }

    /// `GET /gate/signed-out`: the return from the server. The session ends if the server says so.
    func finish(_ request: Request, at site: GateSite) async -> Response {
        guard let cookie = services.cookie(of: request.headers, at: site) else { return Self.signedOut }
        guard await services.sessions.find(cookie, at: site.sessionPlace, freshly: true) == .nobody else {
            return .leading(to: "\(site.origin)/")
        }
        var response = Self.signedOut
        response.headers[.setCookie] = site.takenCookie
        return response
    }

    /// The page for a browser without a session; the site itself would lead it to sign in.
    private static var signedOut: Response {
        let page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Signed out</title>
            <h1>You are signed out</h1>
            <p><a href="/">Back to the site</a></p>
            </html>

            """
        let headers: HTTPFields = [
            .cacheControl: "no-store", .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
}
