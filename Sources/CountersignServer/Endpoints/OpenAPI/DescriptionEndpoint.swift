internal import Hummingbird

/// `GET /openapi.json`: the description of the endpoints.
struct DescriptionEndpoint: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("openapi.json", [.get: { _, _ in answer() }])
    }

    private func answer() -> Response {
        .json(bytes: bytes, headers: [.cacheControl: "public, max-age=\(MetadataEndpoint.freshness)"])
    }
}
