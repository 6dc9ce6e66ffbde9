/// A set of requirements for a client and its requests.
public enum SecurityProfile: String, Sendable, Equatable, Codable, CaseIterable {
    /// Pushed requests, keys instead of secrets, and sender-constrained tokens, for high-value APIs.
    ///
    /// Standard: FAPI 2.0 Security Profile (Final) §5.
    case fapi2
}
