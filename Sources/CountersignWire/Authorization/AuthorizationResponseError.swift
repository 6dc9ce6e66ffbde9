/// A fault in the answer to an authorization request.
public enum AuthorizationResponseError: String, Error, Sendable, Hashable, CaseIterable {
    /// It has a broken percent escape, text that is not UTF-8, or far too many parameters.
    case unreadable
    /// It has a parameter twice, so that two readers could read two answers.
    case parameterRepeated
    /// It has both a code and an error.
    case codeAndError
    /// It has neither a code nor an error.
    case nothing
    /// It came after the deadline of the request.
    case late
    /// It names another server than the requested one. Standard: RFC 9207 §2.4.
    case otherIssuer
    /// It does not name the server, which this server promised to do. Standard: RFC 9207 §2.4.
    case issuerMissing
}
