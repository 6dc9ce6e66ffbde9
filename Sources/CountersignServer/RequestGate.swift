internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Runs before all routes. It refuses malformed requests, in the form of what they ask for, and turns uncaught errors
/// into a response.
///
/// - No `Host`, several, or one that is malformed: 400.
/// - A target that is neither a path nor an address of a web server: 400. `OPTIONS *` asks for no path: 204.
/// - A cookie for a host that is not ours: 421. Pages refuse such a host even without a cookie.
/// - An unknown expectation: 417. A client that waits for `100 Continue` receives it when the body is read.
///
/// Requests without a cookie may name another host: clients that ask for a token authenticate themselves, and inside a
/// cluster they may know the server by another name.
/// Standard: RFC 9110 §10.1.1, §15.5.18, §15.5.20, §9.3.7; RFC 9112 §3.2.
struct RequestGate<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
    let base: Base
    let pages: PageRoutes

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        do {
            if let refusal = refusal(of: request) {
                guard refusal != .unknownTarget else { return refusal.answer.response }
                // The entry of its path for other methods knows the form.
                var context = context
                context.refusal = refusal
                let answer = try await base.respond(to: request.asTrace, context: context)
                return request.method == .head ? answer.createHeadResponse() : answer
            }
            guard !request.isAboutServer else { return Self.allMethods }
            var request = request
            if Expectation(of: request.headers) == .toContinue {
                request = request.tellingToContinue(on: context.channel)
            }
            return try await base.respond(to: request, context: context)
        } catch {
            let failure = ServiceError(error, telling: context.logger)
            let isPage = request.headers[.accept]?.contains("text/html") == true
            guard isPage else { return failure.oauthAnswer.response }
            return try await pages.inLanguage(of: request) { try pages.html(failure.pageProblem) }
        }
    }

    /// The answer to `OPTIONS *`: the methods that some path takes.
    private static var allMethods: Response {
        Response(status: .noContent, headers: [.allow: "DELETE, GET, HEAD, OPTIONS, POST, PUT"])
    }

    private func refusal(of request: Request) -> RefusedRequestError? {
        guard request.namesOneHost else { return .noSingleHost }
        guard request.namesPath || request.isAboutServer else { return .unknownTarget }
        guard Expectation(of: request.headers) != .unknown else { return .unknownExpectation }
        // Health checks may not know the server's name.
        guard !HealthEndpoints.paths.contains(request.uri.path) else { return nil }
        guard request.headers[.cookie] == nil || pages.hosts.isNamed(by: request) else { return .misdirected }
        return nil
    }
}

extension Request {
    /// Whether the target is in origin form; ``RequestNormalizer`` makes it of the absolute form.
    fileprivate var namesPath: Bool { head.path?.utf8.first == UInt8(ascii: "/") }

    /// Whether it asks the server and no path of it.
    fileprivate var isAboutServer: Bool { method == .options && head.path == "*" }
}
