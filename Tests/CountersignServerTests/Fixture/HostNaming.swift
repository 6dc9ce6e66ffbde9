import CountersignWire
import HTTPTypes
import Hummingbird

@testable import CountersignServer

/// Asks for the host that the server has, as a browser does, or for another one that a test names.
struct HostNaming<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
    let base: Base
    let host: String

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var head = request.head
        head.authority = head.headerFields[.askedHost] ?? host
        head.headerFields[.askedHost] = nil
        return try await base.respond(to: Request(head: head, body: request.body), context: context)
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
