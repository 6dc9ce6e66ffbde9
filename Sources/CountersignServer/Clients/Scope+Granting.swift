internal import Countersign
internal import CountersignWire

/// The scope rule of every endpoint: words that the server does not know, or that the asker may not have, are left out,
/// the answer says what was granted, and a request is refused only when nothing of it is left.
///
/// The granted scope decides everything after it: what people are shown, what policy demands, and what tokens are
/// worth.
/// Standard: RFC 6749 §3.3; OpenID Connect Core 1.0 §3.1.2.1 ("scope values used that are not understood by an
/// implementation SHOULD be ignored").
extension Scope {
    /// The part of `asked` that this scope, the most that may be given, has; all of it when nothing in particular is
    /// asked for; `nil` when something is asked for and nothing of it may be given.
    func granting(_ asked: Scope) -> Scope? {
        guard !asked.isEmpty else { return self }
        let granted = asked.intersection(self)
        return granted.isEmpty ? nil : granted
    }

    /// The words of this scope that are also in `other`.
    func intersection(_ other: Scope) -> Scope {
        isSubset(of: other) ? self : Scope(words.filter(other.contains))
    }

    /// The same as ``granting(_:)``, for an answer to a client.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` when nothing of it may be given.
    func permitting(_ asked: Scope, to client: ClientID) throws(OAuthError) -> Scope {
        guard let granted = granting(asked) else {
            throw OAuthError(
                .invalidScope,
                "the client may have none of this scope",
                because: "\(client) asked for \(asked)"
            )
        }
        return granted
    }
}

extension Client {
    /// The scope that the client gets when it asks for `asked`.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` when it is registered for none of it.
    func permitted(_ asked: Scope) throws(OAuthError) -> Scope { try scope.permitting(asked, to: id) }
}
