/// Whether tokens are bound to a key of this device, so that a stolen copy of them is useless without the key.
///
/// A resource server then requires a proof with each request: ``TokenRefresher/authorized(_:forAtLeast:)`` adds it.
///
/// Standard: RFC 9449.
public enum TokenBinding: Sendable, Hashable, CaseIterable {
    /// Tokens are bearer tokens.
    case never
    /// Tokens are bound at a server whose metadata offer it, and bearer tokens elsewhere.
    case whenOffered
    /// Tokens are bound; a server that does not do it is refused.
    case required
}
