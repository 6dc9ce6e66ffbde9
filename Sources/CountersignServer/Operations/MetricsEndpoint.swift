internal import HTTPTypes
internal import Hummingbird

/// `GET /metrics`: the figures of the server, for Prometheus.
struct MetricsEndpoint: Sendable {
    let metrics: PrometheusMetrics

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(
            "metrics",
            [
                .get: { _, _ in
                    Response(
                        status: .ok,
                        headers: [.contentType: PrometheusText.mediaType, .cacheControl: "no-store"],
                        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text()))
                    )
                }
            ]
        )
    }
}
