import CountersignWire
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded

@testable import CountersignServer

/// Asks for the host that the server has, as a browser does, or for another one that a test names; from an address that
/// the server can see.
struct HostNaming<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
    let base: Base
    let host: String
    private let channel = NIOAsyncTestingChannel()

    init(base: Base, host: String) throws {
        self.base = base
        self.host = host
        channel.remoteAddress = try SocketAddress(ipAddress: "192.0.2.1", port: 4711)
    }

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var head = request.head
        head.authority = head.headerFields[.askedHost] ?? host
        head.headerFields[.askedHost] = nil
        let source = ApplicationRequestContextSource(channel: channel, logger: context.logger)
        return try await base.respond(
            to: Request(head: head, body: request.body),
            context: ServerRequestContext(source: source)
        )
    }
}

extension HTTPField.Name {
    /// The host that a test asks for, in place of the server's own.
    static let askedHost = HTTPField.Name("X-Asked-Host")!
}

extension Issuer {
    /// The host, with its port where that is not the usual one.
    var host: String { String(origin.split(separator: "/").last ?? "") }
}
