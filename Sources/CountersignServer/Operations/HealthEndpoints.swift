internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `GET /health/live`: the process runs; `GET /health/ready`: it should receive requests.
///
/// For monitoring and load balancers. The answers reveal nothing useful to an attacker, are never cached, and are the
/// same for any host name.
struct HealthEndpoints: Sendable {
    let readiness: Readiness

    /// Their paths, which do not depend on the issuer: monitors do not know the name of the server.
    static let paths: Set<String> = ["/health/live", "/health/ready"]

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("health/live", [.get: { _, _ in Self.answer("ok") }])
        router.endpoint(
            "health/ready",
            [
                .get: { _, context in
                    guard let unreadyReason = await readiness.unreadyReason() else { return Self.answer("ok") }
                    context.logger.notice("not ready", metadata: ["reason": "\(unreadyReason.rawValue)"])
                    return Self.answer(unreadyReason.rawValue, status: .serviceUnavailable)
                }
            ]
        )
    }

    private static func answer(_ status: String, status code: HTTPResponse.Status = .ok) -> Response {
        .json(bytes: Array("{\"status\":\"\(status)\"}".utf8), status: code)
    }
}
