internal import Countersign
internal import CountersignWire
public import FoundationEssentialsCompat

extension Household {
    /// A person of a screen, who is signed in or remembered there.
    public struct Person: Sendable, Equatable {
        /// The verified identity.
        public let identity: VerifiedIdentity
        /// Whether the app uses this person's tokens.
        public let isCurrent: Bool
        /// The tokens as they are stored; `nil` when the person is signed out. ``CompletedSignIn/ends`` is the end that
        /// they chose.
        public let signedIn: CompletedSignIn?
        /// The person as somebody whom this screen may ask; `nil` when they did not choose that.
        public let rememberedPerson: RememberedPerson?

        /// Reads a stored person; `nil` for one without an identity, or for whom nothing is left.
        init?(_ item: SignInItem, isCurrent: Bool, at now: Date) {
            let signedIn = item.isOver(at: now) ? nil : item.signedIn
            guard let identity = item.person, signedIn != nil || item.rememberedPerson != nil else { return nil }
            self.identity = identity
            self.isCurrent = isCurrent && signedIn != nil
            self.signedIn = signedIn
            rememberedPerson = item.rememberedPerson
        }
    }

    /// The choice at the screen.
    enum Choice: Sendable, Hashable {
        /// Somebody else: they are added.
        case somebodyElse
        /// A person of the screen.
        case person(Subject)
    }
}

extension TokenStore {
    /// The people of a screen, as they are stored.
    ///
    /// - Parameters:
    ///   - key: A key of ``TokenStoreKey/signIn(at:as:)``.
    ///   - now: The present time; a guest whose time is over is left out.
    /// - Returns: The current person first, then the others by name; nobody whose identity was not asked for.
    /// - Throws: ``TokenStoreError``, `damaged` if the item is no sign-in.
    public func people(for key: TokenStoreKey, at now: Date) async throws(TokenStoreError) -> [Household.Person] {
        let household = try await household(for: key)
        let current = household.current.flatMap { Household.Person($0, isCurrent: true, at: now) }
        let others = household.others.compactMap { Household.Person($0, isCurrent: false, at: now) }
        let byName = others.sorted {
            ($0.identity.displayName, $0.identity.subject.rawValue)
                < ($1.identity.displayName, $1.identity.subject.rawValue)
        }
        return (current.map { [$0] } ?? []) + byName
    }
}
