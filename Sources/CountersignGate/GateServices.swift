internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// The dependencies that the pages of a gate share.
struct GateServices: Sendable {
    let configuration: GateConfiguration
    let provider: GateProvider
    let verifier: SignInVerifier
    let check: SessionCheck
    let sessions: GateSessions
    let keys: GateKeys
    let assertions: SiteAssertions
    let clock: TimeSource
    let random: RandomSource

    /// The session's cookie of a request; `nil` where it has none, or two.
    func cookie(of fields: HTTPFields, at site: GateSite) -> SessionCookie? {
        fields.cookie(site.sessionPlace.cookieName).flatMap { SessionCookie(parsing: $0) }
    }

    /// The session of a request.
    func session(of fields: HTTPFields, at site: GateSite) async -> SessionFinding {
        guard let cookie = cookie(of: fields, at: site) else { return .nobody }
        return await sessions.find(cookie, at: site.sessionPlace.name)
    }

    /// The addresses of the server.
    func addresses() async throws(GateAnswerError) -> ProviderAddresses {
        do throws(GateProviderError) {
            return try await provider.addresses()
        } catch {
            throw .unavailable
        }
    }

    /// Ends the session of a request, if it has one, and its sign-in at the server.
    func endSession(of fields: HTTPFields, at site: GateSite) async {
        guard let cookie = cookie(of: fields, at: site), let ended = sessions.end(cookie, at: site.sessionPlace.name)
        else { return }
        if let token = ended.tokens.refresh { await provider.revoke(token) }
    }
}

/// The reason that a page of the gate is not shown.
enum GateAnswerError: Error, Sendable, Equatable {
    /// A sentence for the person.
    case refused(String)
    /// A sentence for a person whose sign-in failed, and the page that begins it again; `nil` where it is not known.
    case signInFailed(String, again: String?)
    /// The server cannot be reached.
    case unavailable
    /// An error of the gate.
    case fault

    var response: Response {
        switch self {
        case .refused(let sentence): .text(sentence, status: .forbidden)
        case .signInFailed(let sentence, again: let page):
            PlainPage(heading: "The sign-in failed", sentence: sentence, link: page.map { .signIn($0) } ?? .site)
                .response(status: .forbidden)
        case .unavailable:
            .text("The sign-in server cannot be reached. Try again.", status: .serviceUnavailable, retryAfter: 5)
        case .fault: .text("The gate failed.", status: .internalServerError)
        }
    }
}

extension Response {
    /// An answer of one sentence, which nobody stores.
    static func text(_ sentence: String, status: HTTPResponse.Status, retryAfter: Int? = nil) -> Response {
        var headers: HTTPFields = [
            .cacheControl: "no-store", .contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff",
        ]
        headers[.retryAfter] = retryAfter.map(String.init)
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(sentence)\n")))
    }

    /// An answer that sends a browser to another address, and tells that one nothing of this one.
    static func leading(to address: String) -> Response {
        let headers: HTTPFields = [.cacheControl: "no-store", .location: address, .referrerPolicy: "no-referrer"]
        return Response(status: .found, headers: headers)
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
