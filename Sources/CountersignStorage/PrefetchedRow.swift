/// A row that a closure of a store is going to look up by its key.
///
/// A store whose database is another program fetches the rows of all waiting closures with one message instead of one
/// message for each look-up. The results of the closure do not depend on it.
public enum PrefetchedRow: Sendable, Hashable {
    /// The refresh token of a family.
    case refreshToken(family: SecretDigest)
    /// The sign-in of the refresh tokens of a family.
    case signInOfRefreshToken(family: SecretDigest)
    /// The person of that sign-in.
    case personOfRefreshToken(family: SecretDigest)
    /// A sign-in.
    case signIn(Grant.ID)
    /// A person.
    case person(Subject)
    /// A client.
    case client(ClientID)
}
