internal import Hummingbird

/// Puts the certificate that was proved on the connection of a request into its context.
struct CertificateResponder<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
    let base: Base

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var context = context
        context.certificate = await ClientCertificateChannel.certificate(of: context.channel)
        return try await base.respond(to: request, context: context)
    }
}
