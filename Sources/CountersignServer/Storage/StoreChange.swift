public import Countersign

/// Something in the store that is no longer as it was, so that caches drop it.
///
/// Of rows that were added there is no notification, but for keys: that a row is missing is not cached. Nor of rows that
/// are removed because their time is over: caches look at that time too. Nor of rows that are never cached, like the
/// record of a screen that was signed in.
public enum StoreChange: Sendable, Hashable {
    /// The client changed or was removed.
    case client(ClientID)
    /// The person's account changed or was removed.
    case person(Subject)
    /// The domain changed or was removed.
    case domain(Domain)
    /// The exchange took a step, or its polling interval was raised.
    case exchange(SignInRequest.ID, deviceCode: SecretDigest)
    /// The access token was removed.
    case accessToken(SecretDigest)
    /// All tokens that came from the grant were removed.
    case tokensOfGrant(Grant.ID)
    /// Access tokens of the client were removed: all of them, or all for one audience.
    case tokensOfClient(ClientID)
    /// A key of the server came, changed or went.
    case serverKeys
    /// Anything may have changed. After ``notificationsLost`` it also says that notifications come again.
    case anything
    /// Changes of other processes are not notified until ``anything`` says that they are again.
    case notificationsLost
}
