/// The reason that an ID token is not accepted: the first thing that is wrong with it.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7; RFC 8725 §3.
package enum IDTokenError: String, Error, Sendable, CaseIterable {
    case noToken = "it is no signed token"
    case unreadableHeader = "its header cannot be read"
    case unknownExtension = "it needs extensions that are not known here"
    case anotherType = "it is another kind of token"
    case algorithm = "its algorithm is not accepted"
    case unreadableClaims = "its claims cannot be read"
    case unknownKey = "its key is not known"
    case signature = "its signature is wrong"
    case anotherIssuer = "it is from another issuer"
    case anotherAudience = "it is meant for another app"
    case anotherParty = "it was given to another app"
    case expired = "it has expired"
    case future = "it is from the future"
    case notYetValid = "it is not valid yet"
    case tooOld = "it was made too long ago"
    case nonce = "it answers another request"
    case accessToken = "it belongs to another access token"
    case code = "it belongs to another code"
    case noSubject = "it has no subject"

    /// The fault, as a part of a sentence for the log.
    package var reason: String { rawValue }
}
