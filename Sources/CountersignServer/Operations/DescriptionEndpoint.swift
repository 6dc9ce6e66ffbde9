internal import Hummingbird
internal import NIOConcurrencyHelpers

/// `/openapi.json`: the OpenAPI description of the endpoints, created at the first request.
struct DescriptionEndpoint: Sendable {
    private let issuer: Issuer
    private let parts: [[UInt8]]
    private let registers: Bool
    private let bytes = NIOLockedValueBox<[UInt8]?>(nil)

    /// - Parameters:
    ///   - parts: The parts of the ways in.
    ///   - registers: Whether clients may register themselves.
    init(for issuer: Issuer, with parts: [[UInt8]], registering registers: Bool) {
        self.issuer = issuer
        self.parts = parts
        self.registers = registers
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("openapi.json", [.get: { _, _ in try answer() }])
    }

    private func answer() throws -> Response {
        .json(bytes: try made(), headers: [.cacheControl: "public, max-age=\(KeyRotation.freshness)"])
    }

    private func made() throws -> [UInt8] {
        try bytes.withLockedValue { bytes in
            if let bytes { return bytes }
            let made = try OpenAPIDescription.bytes(for: issuer, with: parts, registering: registers)
            bytes = made
            return made
        }
    }
}
