package import HTTPTypes
package import Hummingbird
package import NIOCore
internal import NIOHTTPTypes

/// The expectation in the head of a request (`Expect`).
///
/// Standard: RFC 9110 §10.1.1.
package enum Expectation: Sendable, Equatable {
    case none
    /// The client waits for `100 Continue`, or for a final answer, before it sends the body.
    case toContinue
    /// An expectation that this server does not support.
    case unknown

    package init(of fields: HTTPFields) {
        let members = fields[values: .expect].flatMap { $0.split(separator: ",") }.map { member in
            member.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        if members.isEmpty {
            self = .none
        } else {
            self = members.allSatisfy { $0 == "100-continue" } ? .toContinue : .unknown
        }
    }
}

extension Request {
    /// The request with a body whose first read sends `100 Continue`. An endpoint that does not read the body sends its
    /// final answer only.
    package func tellingToContinue(on channel: any Channel) -> Request {
        var request = self
        request.body = RequestBody(asyncSequence: AwaitedBody(base: body, channel: channel))
        return request
    }
}

/// A body that the client sends after `100 Continue`, which the first read sends.
private struct AwaitedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), channel: channel)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        /// `nil` after `100 Continue` was sent.
        fileprivate var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            if let channel {
                self.channel = nil
                try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
            }
            return try await base.next()
        }
    }
}
