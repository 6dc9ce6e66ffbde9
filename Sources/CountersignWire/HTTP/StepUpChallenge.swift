/// The challenge of a service when the person behind a token must authenticate again, or in another way.
///
/// ```swift
/// let challenge = StepUpChallenge(parsing: ["Bearer error=\"insufficient_user_authentication\", max_age=\"300\""])
/// ```
///
/// The app starts a new sign-in with these values: `acr_values` and `max_age` of an authorization request, or
/// `acr_values` of a request over the back channel, which `BackchannelSignIn.request(answering:for:)` of
/// `CountersignRequester` makes.
/// Standard: RFC 9470 §3, §4.
public struct StepUpChallenge: Sendable, Equatable {
    /// The longest age that is read, in seconds.
    package static let longestAge = 999_999_999

    /// The classes of authentication that will do, the best first; empty when any will.
    public let acrValues: [String]
    /// The greatest age of the person's authentication, in seconds; `nil` when that does not matter.
    public let maxAge: Int?
    /// The scope that the token must have, if the service states it.
    public let scope: Scope?

    /// Reads the values of the `WWW-Authenticate` fields of an answer.
    ///
    /// - Parameter values: The values, one for each field. `nil` is returned when none of them is such a challenge, for
    ///   a bearer token or one that is bound to a key.
    public init?(parsing values: [String]) {
        let wanted = OAuthError.Code.insufficientUserAuthentication.rawValue
        let challenges = values.flatMap { value in
            ["bearer", "dpop"].compactMap { AuthenticationChallenge.parameters(of: $0, in: value) }
        }
        guard let found = challenges.first(where: { $0["error"] == wanted }) else { return nil }
        acrValues = (found["acr_values"] ?? "").split(separator: " ").map(String.init)
        maxAge = found["max_age"].flatMap { Int($0) }.flatMap { (0...Self.longestAge).contains($0) ? $0 : nil }
        scope = found["scope"].flatMap { Scope(parsing: $0) }
    }
}
