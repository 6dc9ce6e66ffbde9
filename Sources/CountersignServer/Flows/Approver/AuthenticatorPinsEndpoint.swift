internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /authenticator/pins`: the certificates that apps accept, as the operator signed them. It is mounted
/// only when the operator has configured signed pins.
struct AuthenticatorPinsEndpoint: Sendable {
    let services: FlowServices
    let pins: SignedCertificatePins

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("authenticator/pins", [.get: answer])
    }

    @Sendable private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try services.requestLimiter.admit(
            .address(.tokenPerAddress, context.address(of: request, by: services.addresses)))
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/jwt", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: pins.text))
        )
    }
}
