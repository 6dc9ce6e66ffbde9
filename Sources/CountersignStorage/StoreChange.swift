public import Countersign

/// A change of stored rows. Caches drop the rows that it names.
///
/// Added rows are not announced, except keys, and requests that wait for one person, because caches never store
/// "missing". Expired rows are not announced
/// either, because caches check the expiry themselves; nor are rows that are never cached, like the record of a screen
/// that was signed in.
public enum StoreChange: Sendable, Hashable {
    /// The client changed or was removed.
    case client(ClientID)
    /// The person's account changed or was removed.
    case person(Subject)
    /// The domain changed or was removed.
    case domain(Domain)
    /// The exchange took a step, or its polling interval was raised.
    case exchange(SignInRequest.ID, requestCode: SecretDigest)
    /// A request that only this person may decide was added, or it took a step; or one of their devices joined an
    /// site, or left it.
    case inbox(Subject)
    /// The access token was removed.
    case accessToken(SecretDigest)
    /// All tokens that came from the grant were removed.
    case tokensOfGrant(Grant.ID)
    /// Access tokens of the client were removed: all of them, or all for one audience.
    case tokensOfClient(ClientID)
    /// A key of the server was added, changed or removed.
    case serverKeys
    /// Anything may have changed. After ``notificationsLost`` it also means that notifications work again.
    case anything
    /// Changes of other processes are not announced until ``anything`` is sent.
    case notificationsLost
}
