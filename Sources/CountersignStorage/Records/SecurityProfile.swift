internal import Countersign
internal import CountersignWire

/// A set of demands on a client and its requests that an operator, or the law, may want to be met together.
public enum SecurityProfile: String, Sendable, Equatable, Codable, CaseIterable {
    /// For banks and others who hold much: pushed requests, keys in place of secrets, and tokens that are bound to a
    /// key.
    ///
    /// Standard: FAPI 2.0 Security Profile (Final) §5.
    case fapi2
}
