import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOConcurrencyHelpers
import NIOCore

@testable import CountersignServer

/// The endpoints for clients with certificates, reached by connections with a proved certificate or with none.
struct CertificateConnections: Sendable {
    let client: any TestClientProtocol
    private let proved: NIOLockedValueBox<PresentedCertificate?>

    /// Opens them beside a server, for the length of `test`.
    static func open(
        beside server: TestServer,
        _ test: @Sendable (CertificateConnections) async throws -> Void
    ) async throws {
        let proved = NIOLockedValueBox<PresentedCertificate?>(nil)
        let router = server.server.certificateRouter(below: server.issuer.path)
        let responder = OtherMethodResponder(base: router.buildResponder())
        let application = Application(responder: Proving(base: responder, proved: proved))
        try await application.test(.router) { client in
            try await test(CertificateConnections(client: client, proved: proved))
        }
    }

    /// Sends a form over a connection of its own.
    ///
    /// - Parameter certificate: The certificate that the client proved when it opened the connection; `nil` for none.
    func post(
        _ path: String,
        _ form: Form,
        holding certificate: PresentedCertificate?,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        proved.withLockedValue { $0 = certificate }
        return try await client.executeRequest(
            uri: path, method: .post, headers: headers, body: ByteBuffer(string: form.encoded))
    }

    /// Presents a token at `/userinfo`.
    func userInfo(_ token: AccessToken, holding certificate: PresentedCertificate?) async throws -> TestResponse {
        proved.withLockedValue { $0 = certificate }
        return try await client.executeRequest(
            uri: "/userinfo", method: .get, headers: [.authorization: BearerHeader.value(for: token)], body: nil)
    }

    /// Puts the certificate into the context of a request, as ``CertificateResponder`` does for that of a connection.
    private struct Proving<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
        let base: Base
        let proved: NIOLockedValueBox<PresentedCertificate?>

        func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
            var context = context
            context.certificate = proved.withLockedValue { $0 }
            return try await base.respond(to: request, context: context)
        }
    }
}
