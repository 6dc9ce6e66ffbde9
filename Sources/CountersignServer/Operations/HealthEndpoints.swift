internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `GET /health/live`: the process runs; `GET /health/ready`: it should be sent requests.
///
/// For programs that watch servers. They say nothing that an attacker could use, are never kept, and are answered
/// whatever host was asked for.
struct HealthEndpoints: Sendable {
    let readiness: Readiness

    /// Where they are whatever the issuer: those who ask there know no name of the server.
    static let paths: Set<String> = ["/health/live", "/health/ready"]

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("health/live", [.get: { _, _ in Self.answer("ok") }])
        router.endpoint(
            "health/ready",
            [
                .get: { _, context in
                    guard let obstacle = await readiness.obstacle() else { return Self.answer("ok") }
                    context.logger.notice("not ready", metadata: ["reason": "\(obstacle.rawValue)"])
                    return Self.answer(obstacle.rawValue, status: .serviceUnavailable)
                }
            ]
        )
    }

    private static func answer(_ status: String, status code: HTTPResponse.Status = .ok) -> Response {
        .json(bytes: Array("{\"status\":\"\(status)\"}".utf8), status: code)
    }
}
