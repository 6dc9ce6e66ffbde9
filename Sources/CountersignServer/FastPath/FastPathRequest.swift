internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A request that was read whole, and is of the plain kind that most are: it may be answered without a task.
struct FastPathRequest: Sendable {
    /// What its header says, as far as an everyday request says anything.
    struct Head: Sendable, Equatable {
        var authorization: String?
        var forwardedFor: [String] = []
        var prefer: [String] = []
        /// The length of the form, in bytes.
        var length = 0

        /// `nil` for a request that is not of the everyday kind: whatever is unusual is read elsewhere, with care.
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
                    guard !hasForm, field.value == Self.form else { return nil }
                    hasForm = true
                case .authorization:
                    guard authorization == nil else { return nil }
                    authorization = field.value
                case .xForwardedFor:
                    forwardedFor.append(field.value)
                case .prefer:
                    prefer.append(field.value)
                case .host, .cookie, .transferEncoding, .expect, .upgrade, .contentEncoding:
                    return nil
                default:
                    break
                }
            }
            guard head.method == .post ? hasForm && length > 0 : head.method == .get && !hasForm && length == 0 else {
                return nil
            }
        }

        private static let form = "application/x-www-form-urlencoded"
    }

    let head: Head
    let body: ByteBuffer
    /// The other end of the connection.
    let peer: String?

    /// The form in the body.
    ///
    /// - Throws: ``OAuthError``, for whoever answers in full to say.
    func form() throws(OAuthError) -> Form { try Form(parsing: body.readableBytesView) }

    /// The address of the client, as far as it can be seen.
    func address(by addresses: ClientAddressResolver) -> String? {
        addresses.client(of: peer, forwardedFor: head.forwardedFor)
    }
}
