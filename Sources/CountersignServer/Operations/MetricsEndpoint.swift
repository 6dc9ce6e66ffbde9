internal import HTTPTypes
internal import Hummingbird

/// `GET /metrics`: the metrics of the server, for Prometheus.
struct MetricsEndpoint: Sendable {
    let metrics: PrometheusMetrics
    /// Whether a request has an allowed host name, so that no site reads the metrics in a browser of this network (DNS
    /// rebinding).
    let isOurs: @Sendable (Request) -> Bool

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(
            "metrics",
            [
                .get: { request, _ in
                    guard isOurs(request) else { return Self.misdirected() }
                    return Response(
                        status: .ok, headers: [.contentType: PrometheusText.mediaType, .cacheControl: "no-store"],
                        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text())))
                }
            ]
        )
    }

    /// Standard: RFC 9110 §15.5.20.
    private static func misdirected() -> Response {
        let description = "this server has another name"
        let error = OAuthError(.invalidRequest, description, because: description)
        return JSONResponse(error, status: .misdirectedRequest).response
    }
}
