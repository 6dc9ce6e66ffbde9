/// The scope rule of every endpoint: values that are unknown or not allowed are omitted, the response has the granted
/// scope, and a request is refused only if nothing is left.
///
/// Pages, policy and tokens depend on the granted scope.
/// Standard: RFC 6749 §3.3; OpenID Connect Core 1.0 §3.1.2.1 ("scope values used that are not understood by an
/// implementation SHOULD be ignored").
extension Scope {
    /// The part of `asked` in this scope, or the whole scope for an empty request; `nil` if nothing of the request is
    /// in it.
    func granting(_ asked: Scope) -> Scope? {
        guard !asked.isEmpty else { return self }
        let granted = asked.intersection(self)
        return granted.isEmpty ? nil : granted
    }

    /// The words of this scope that are also in `other`.
    func intersection(_ other: Scope) -> Scope {
        isSubset(of: other) ? self : Scope(words.filter(other.contains))
    }

    /// The same as ``granting(_:)``, for the response to a client.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` if nothing of the request is in it.
    func permitting(_ asked: Scope, to client: ClientID) throws(OAuthError) -> Scope {
        guard let granted = granting(asked) else {
            throw OAuthError(
                .invalidScope, "the client may have none of this scope", because: "\(client) asked for \(asked)")
        }
        return granted
    }
}

extension Client {
    /// The scope that is granted for `asked`.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` when it is registered for none of it.
    func permitted(_ asked: Scope) throws(OAuthError) -> Scope { try scope.permitting(asked, to: id) }
}
