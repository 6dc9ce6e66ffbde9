package import HTTPTypes

/// The content of a request's `Authorization` header. Tokens in a query or a form are ignored.
///
/// Standard: RFC 6750 §2.1; RFC 9449 §7.1; RFC 9110 §11.4, §11.6.2.
package enum PresentedAuthorization: Sendable, Equatable {
    /// The longest token that is checked, in bytes.
    package static let longestToken = 8192

    case nothing
    case token(AccessToken)
    /// A token with the scheme DPoP, which needs a proof.
    case boundToken(AccessToken)
    /// A token that is too long to be one.
    case tooLong
    /// Another scheme than Bearer and DPoP.
    case otherScheme
    case malformed

    /// Reads the header among the fields of a request.
    package init(_ fields: HTTPFields) {
        let values = fields[values: .authorization]
        guard let value = values.first else {
            self = .nothing
            return
        }
        guard values.count == 1 else {
            self = .malformed
            return
        }
        if let token = BearerHeader.token(in: value) {
            self = token.revealed.utf8.count <= Self.longestToken ? .token(token) : .tooLong
        } else if let token = DPoPHeader.token(in: value) {
            self = token.revealed.utf8.count <= Self.longestToken ? .boundToken(token) : .tooLong
        } else {
            self = Self.isOfOtherScheme(value) ? .otherScheme : .malformed
        }
    }

    /// Standard: RFC 9110 §11.4, §5.6.2 (`auth-scheme`).
    private static func isOfOtherScheme(_ value: String) -> Bool {
        let scheme = value.utf8.prefix { $0 != UInt8(ascii: " ") }
        let isToken = scheme.allSatisfy { URLSafeText.isUnreserved($0) || "!#$%&'*+^`|".utf8.contains($0) }
        return isToken && !scheme.isEmpty && !["bearer", "dpop"].contains(Substring(scheme).lowercased())
    }
}
