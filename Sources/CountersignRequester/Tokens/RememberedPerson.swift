internal import Countersign
internal import CountersignWire

/// A person who chose to be remembered on this screen, which may ask them on their devices.
///
/// ``CompletedSignIn/rememberedPerson`` makes one of the ID token of a verified person, if it has the claim of that choice
/// (`countersign_screen`). No other ID token is sent as a hint.
///
/// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`id_token_hint`).
public struct RememberedPerson: Sendable, Equatable {
    /// The ID token that names the person to the server.
    package let hint: UnverifiedIDToken

    /// Takes over the ID token of a person who was verified; `nil` when it does not say that they are remembered.
    init?(_ identity: VerifiedIdentity?, statedBy idToken: UnverifiedIDToken?) {
        guard let identity, let idToken, idToken.states(identity),
            (try? ParsedIDToken(idToken))?.unverifiedScreen != nil
        else { return nil }
        hint = idToken
    }

    /// A person whose ID token was looked at before.
    package init(restoring hint: UnverifiedIDToken) { self.hint = hint }
}

extension UnverifiedIDToken {
    /// Whether it is about this person; `true` where the person was not asked for.
    func states(_ identity: VerifiedIdentity?) -> Bool {
        guard let identity else { return true }
        guard let read = try? ParsedIDToken(self) else { return false }
        return read.unverifiedSubject == identity.subject && read.unverifiedIssuer == identity.issuer
    }
}
