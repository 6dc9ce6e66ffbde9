package import CountersignWire
internal import HTTPTypes
internal import Hummingbird
package import Logging
internal import NIOCore

/// A request that was read to its end and has only common header fields, so that the fast path may answer it.
package struct FastPathRequest: Sendable {
    /// The header fields that the fast path uses.
    package struct Head: Sendable, Equatable {
        package var authorization: String?
        var forwardedFor: [String] = []
        package var prefer: [String] = []
        package var userAgent: String?
        /// The length of the form, in bytes.
        var length = 0

        /// Reads a head; `nil` when it has anything unusual, which the router handles.
        init?(of head: HTTPRequest) {
            guard let authority = head.authority, HostField.isWellFormed(authority) else { return nil }
            var hasForm = false
            for field in head.headerFields {
                switch field.name {
                case .contentLength:
                    guard length == 0, let length = Int(field.value), 1...Request.longestForm ~= length else {
                        return nil
                    }
                    self.length = length
                case .contentType:
                    guard !hasForm, field.value == Form.mediaType else { return nil }
                    hasForm = true
                case .authorization:
                    guard authorization == nil else { return nil }
                    authorization = field.value
                case .xForwardedFor:
                    forwardedFor.append(field.value)
                case .prefer:
                    prefer.append(field.value)
                case .userAgent:
                    guard userAgent == nil else { return nil }
                    userAgent = field.value
                case .origin:
                    // The router adds the CORS headers.
                    guard head.method == .get else { return nil }
                case .host, .cookie, .transferEncoding, .expect, .upgrade, .contentEncoding, .dpop:
                    return nil
                default:
                    break
                }
            }
            guard head.method == .post ? hasForm && length > 0 : head.method == .get && !hasForm && length == 0 else {
                return nil
            }
        }
    }

    package let head: Head
    let body: ByteBuffer
    package let logger: Logger
    /// The address of the peer.
    let peer: String?

    /// The form in the body.
    ///
    /// - Throws: ``OAuthError`` `invalid_request`.
    package func form() throws(OAuthError) -> Form { try Form(parsing: body.readableBytesView) }

    /// The address of the client, as far as it can be seen.
    package func address(by addresses: ClientAddressResolver) -> String? {
        addresses.client(of: peer, forwardedFor: head.forwardedFor)
    }
}
