/// A change of stored rows, for caches.
///
/// Added rows are not announced, except keys, groups, claims and requests with an addressee, because caches store no missing rows.
/// Expired rows are not announced either, because caches check the expiry themselves, nor are rows that are never
/// cached, such as sign-ins.
public enum StoreChange: Sendable, Hashable {
    /// The client changed or was removed.
    case client(ClientID)
    /// The person's account changed or was removed, or a membership of theirs in a group began or ended.
    case person(Subject)
    /// A group was added, changed or removed, which may concern every person.
    case groups
    /// The declaration of a claim was added or removed.
    case claims
    /// The domain changed or was removed.
    case domain(Domain)
    /// The exchange took a step, or its polling interval was raised.
    case exchange(SignInRequest.ID, requestCode: SecretDigest)
    /// A request with this addressee was added or took a step, or one of their devices joined or left a site.
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
