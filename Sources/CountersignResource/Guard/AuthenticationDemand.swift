internal import Countersign
internal import CountersignWire
package import FoundationEssentialsCompat

/// The demands on the authentication of the person behind a token.
///
/// Standard: RFC 9470 §3.
package struct AuthenticationDemand: Sendable, Equatable {
    /// The classes that will do, the best first; empty when any will.
    package let classes: [String]
    /// The greatest age of the authentication, in seconds; `nil` for any time.
    package let maxAge: Int?

    package init(classes: [String], maxAge: Int?) {
        self.classes = classes
        self.maxAge = maxAge
    }

    /// Nothing is demanded.
    package static let none = AuthenticationDemand(classes: [], maxAge: nil)

    /// Whether the person of a token authenticated like this. The maximum clock difference is added to the age.
    package func isMet(by token: TokenFacts, at now: Date) -> Bool {
        guard classes.isEmpty || classes.contains(where: { Self.reaches($0, token) }) else { return false }
        guard let maxAge else { return true }
        guard let authenticated = token.authenticated else { return false }
        return now.timeIntervalSince(authenticated) <= TimeInterval(maxAge) + TokenClaims.leeway
    }

    /// Whether a token tells of a class, by its `acr` or by what was proved beside the sign-in.
    private static func reaches(_ wanted: String, _ token: TokenFacts) -> Bool {
        if token.authenticationClass == wanted { return true }
        guard let known = AuthenticationClass(rawValue: wanted) else { return false }
        return token.evidence?.reaches(known) == true
    }

    /// The parameters of a challenge.
    package var parameters: [String] {
        // Both quoted, as the examples of the standard have them.
        let values = classes.joined(separator: " ").unicodeScalars
            .filter { $0.value >= 0x20 && $0.value < 0x7F && $0 != "\"" && $0 != "\\" }
        let acr = classes.isEmpty ? nil : "acr_values=\"\(String(String.UnicodeScalarView(values)))\""
        return [acr, maxAge.map { "max_age=\"\($0)\"" }].compactMap(\.self)
    }
}
