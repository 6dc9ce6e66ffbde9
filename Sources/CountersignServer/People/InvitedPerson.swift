internal import Countersign
internal import FoundationEssentialsCompat

/// The names that an invited person chose, as they were typed.
struct InvitedPerson: Sendable, Equatable {
    let username: Username
    let name: String

    /// The objection to a name.
    enum NameError: Error, Sendable, Equatable {
        /// It cannot be a user name.
        case username
        /// Somebody has that user name.
        case taken
        /// The name that others see has characters that it must not have, or too many.
        case name
    }

    /// Reads the names.
    ///
    /// A user name that is an e-mail address signs in before the person with that address. So it is the invited one.
    ///
    /// - Parameters:
    ///   - username: The user name as it was typed.
    ///   - name: The name that others see; the user name for an empty one.
    ///   - email: The e-mail address of the invitation; `nil` for none.
    /// - Throws: ``NameError``.
    init(username: String, name: String, invitedAt email: EmailAddress?) throws(NameError) {
        guard let parsed = Username(parsing: username) else { throw .username }
        if let address = EmailAddress(parsing: parsed.rawValue), address.folded != email?.folded { throw .username }
        self.username = parsed
        if TypedText.trimmed(name).isEmpty {
            self.name = parsed.rawValue
        } else {
            guard let shown = DisplayName(parsing: name) else { throw .name }
            self.name = shown.text
        }
    }
}

/// The accounts of invited people.
struct InvitationService: Sendable {
    let core: ServerCore

    /// Creates the person of an invitation, which is used up.
    ///
    /// - Parameters:
    ///   - invited: The chosen names.
    ///   - secret: The secret of the link.
    ///   - password: The hash of the password; `nil` for a person with a passkey.
    ///   - address: The network address of the browser.
    ///   - also: Runs in the same change, after the person was added.
    /// - Throws: ``ActionLinks/UselessLinkError``; ``InvitedPerson/NameError``; what `also` throws;
    ///   ``StoreUnavailableError``.
    func create(
        _ invited: InvitedPerson,
        by secret: ActionLinkSecret,
        password: PasswordHash?,
        from address: String?,
        also: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws -> Person {
        let now = core.clock.now()
        return try await core.store.change { repositories in
            let link = try ActionLinks(repositories).use(secret, at: now).link
            guard case .invitation(let invitedAddress) = link.act else { throw ActionLinks.UselessLinkError.unknown }
            guard try repositories.people.find(invited.username) == nil else { throw InvitedPerson.NameError.taken }
            // An address of two people signs in neither.
            let isFree = try invitedAddress.map { try People(repositories).holder(of: $0) == nil } ?? false
            // As a user name it would sign in before the person who has it.
            guard isFree || EmailAddress(parsing: invited.username.rawValue) == nil else {
                throw InvitedPerson.NameError.username
            }
            let person = Person(
                subject: link.subject, username: invited.username, name: invited.name,
                email: isFree ? invitedAddress?.rawValue : nil, isEmailVerified: isFree, password: password,
                created: now)
            try People(repositories).add(person, as: .person, from: address, because: "by an invitation")
            try also(repositories)
            return person
        }
    }
}
