internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `GET /authenticator/v1.0/certificate`: the certificates that apps of the older dialect shall accept.
///
/// The dialect's list has neither version nor expiry, so an old one can be replayed. It is empty without a signing key,
/// and where a proxy has the certificate: apps then keep their list.
struct LegacyCertificateEndpoint: Sendable {
    let services: FlowServices
    let pinKey: LegacyCertificatePinKey?
    let certificate: ServerCertificate?

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.authenticatorEndpoint("authenticator/v1.0/certificate", [.get: answer])
    }

    @Sendable private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try services.requestLimiter.admit(
            .address(.tokenPerAddress, context.address(of: request, by: services.addresses)))
        guard let pinKey, let leaf = certificate?.leaf else { return try .json([LegacyPin]()) }
        return try .json([try pinKey.pin(for: leaf.certificate, holding: leaf.publicKey)])
    }
}
