public import Countersign

/// Something in the store that is no longer as it was.
///
/// A row that was added is no news, but for a key: nobody can have remembered it. Nor is a row that is removed because
/// its time was over: whoever remembers rows looks at their times as well. Nor is what nobody remembers, like the record
/// of a screen that was signed in.
public enum StoreNews: Sendable, Hashable {
    /// The client changed or was removed.
    case client(ClientID)
    /// The person's account changed or was removed.
    case person(Subject)
    /// The domain changed or was removed.
    case domain(Domain)
    /// The exchange took a step, or its requester was told to slow down.
    case exchange(SignInRequest.ID, deviceCode: SecretDigest)
    /// The access token was removed.
    case accessToken(SecretDigest)
    /// All tokens that came from the grant were removed.
    case tokensOfGrant(Grant.ID)
    /// Access tokens of the client were removed: all of them, or all for one audience.
    case tokensOfClient(ClientID)
    /// A key of the server came, changed or went.
    case serverKeys
    /// Something changed elsewhere, and it is not known what: everything may have.
    case anything
    /// Changes made elsewhere cannot be told until ``anything`` says that they can again.
    case lineLost
}
