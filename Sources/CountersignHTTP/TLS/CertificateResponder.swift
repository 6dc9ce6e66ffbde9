package import Hummingbird

/// Puts the certificate that was proved on the connection of a request into its context.
package struct CertificateResponder: HTTPResponder {
    private let base: any HTTPResponder<ServerRequestContext>

    package init(base: any HTTPResponder<ServerRequestContext>) {
        self.base = base
    }

    package func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var context = context
        context.certificate = await PresentedCertificate.proved(on: context.channel)
        return try await base.respond(to: request, context: context)
    }
}
