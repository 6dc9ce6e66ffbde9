internal import Countersign
internal import FoundationEssentialsCompat

/// The people of a screen as they are stored, all in one item, so that each change is one write.
///
/// A person alone is stored as their sign-in, as it was before there could be several.
struct HouseholdItem: Codable, Sendable {
    /// A person of the screen.
    enum Selection: Sendable, Hashable {
        /// The person whose tokens the app uses, whoever that is at the time.
        case current
        /// The person with this identifier at the server.
        case person(Subject)
    }

    /// The sign-in that the app uses; `nil` when nobody is signed in, or nobody was chosen.
    private(set) var current: SignInItem?
    /// Others who are signed in or remembered, each with an identity.
    private(set) var others: [SignInItem] = []

    private enum CodingKeys: String, CodingKey {
        case current, others
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.others) else {
            let alone = try SignInItem(from: decoder)
            guard alone.accessToken != nil else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "there is no access token"))
            }
            current = alone
            return
        }
        current = try members.decodeIfPresent(SignInItem.self, forKey: .current)
        others = try members.decode([SignInItem].self, forKey: .others)
    }

    func encode(to encoder: any Encoder) throws {
        if let current, others.isEmpty { return try current.encode(to: encoder) }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(current, forKey: .current)
        try members.encode(others, forKey: .others)
    }
}

extension HouseholdItem {
    /// Everybody, the current person first.
    var all: [SignInItem] { (current.map { [$0] } ?? []) + others }

    var isEmpty: Bool { current == nil && others.isEmpty }

    /// The item of a person; `nil` when there is none.
    subscript(selection: Selection) -> SignInItem? {
        switch selection {
        case .current: current
        case .person(let subject): all.first { $0.identity?.subject == subject }
        }
    }

    /// Stores a new sign-in as the current one.
    ///
    /// - Parameter adds: Whether the current person stays, if it is another one whose identity is known.
    /// - Returns: The items that it replaces.
    mutating func put(_ item: SignInItem, adding adds: Bool) -> [SignInItem] {
        var replaced: [SignInItem] = []
        if let subject = item.identity?.subject {
            replaced = others.filter { $0.identity?.subject == subject }
            others.removeAll { $0.identity?.subject == subject }
        }
        if let older = current {
            let known = older.identity?.subject
            let stays = adds && known != nil && known != item.identity?.subject
            if stays { others.append(older) } else { replaced.append(older) }
        }
        current = item
        return replaced
    }

    /// Replaces the tokens of a person by newer ones, wherever they are.
    mutating func renew(_ item: SignInItem) {
        let subject = item.identity?.subject
        if let place = others.firstIndex(where: { $0.identity?.subject == subject }), subject != nil {
            others[place] = item
        } else {
            current = item
        }
    }

    /// Makes a person who is signed in the current one; returns whether there is one.
    mutating func choose(_ subject: Subject) -> Bool {
        if current?.identity?.subject == subject { return true }
        let place = others.firstIndex { $0.identity?.subject == subject && $0.accessToken != nil }
        guard let place else { return false }
        let chosen = others.remove(at: place)
        if let older = current, older.identity != nil { others.append(older) }
        current = chosen
        return true
    }

    /// Removes the tokens of a person.
    ///
    /// - Parameter forgets: Whether a remembered person goes, too.
    mutating func signOut(_ selection: Selection, forgetting forgets: Bool) {
        guard let item = self[selection] else { return }
        change(where: { $0.identity?.subject == item.identity?.subject }) { forgets ? nil : $0.signedOut }
    }

    /// Forgets whoever is remembered by this ID token, as the server does; tokens stay.
    mutating func forget(_ person: RememberedPerson) {
        change(where: { $0.idToken == person.hint.revealed }) { $0.forgotten }
    }

    /// Lets the access token of whoever has it expire.
    mutating func expire(_ refused: AccessToken) {
        change(where: { $0.has(refused) }) { $0.expiring(refused) }
    }

    /// Removes the tokens of people whose chosen time is over.
    mutating func endSignIns(at now: Date) {
        change(where: { $0.isOver(at: now) }) { $0.signedOut }
    }

    /// Changes people, or removes those for whom `edit` returns `nil`; a person without tokens is not the current one.
    private mutating func change(
        where isMeant: (SignInItem) -> Bool,
        _ edit: (SignInItem) -> SignInItem?
    ) {
        others = others.compactMap { isMeant($0) ? edit($0) : $0 }
        guard let older = current, isMeant(older) else { return }
        current = edit(older)
        if let left = current, left.accessToken == nil {
            current = nil
            others.append(left)
        }
    }
}

extension TokenStore {
    /// Reads the people of a screen; nobody when nothing is stored.
    ///
    /// - Throws: ``TokenStoreError``, `damaged` if the item is no sign-in.
    func household(for key: TokenStoreKey) async throws(TokenStoreError) -> HouseholdItem {
        guard let kept: HouseholdItem = try await load(json: key) else { return HouseholdItem() }
        guard [.signIn, .service].contains(key.kind) else {
            throw TokenStoreError(.damaged, because: "\(key) is no kept sign-in")
        }
        return kept
    }

    /// The same for a sign-in that replaces it; a damaged item counts as none.
    func replaceableHousehold(for key: TokenStoreKey) async throws(TokenStoreError) -> HouseholdItem {
        do throws(TokenStoreError) {
            return try await household(for: key)
        } catch {
            guard error.code == .damaged else { throw error }
            return HouseholdItem()
        }
    }

    /// Stores the people of a screen; removes the item when there is nobody.
    func save(_ household: HouseholdItem, for key: TokenStoreKey) async throws(TokenStoreError) {
        if household.isEmpty { try await remove(key) } else { try await save(json: household, for: key) }
    }

    /// Changes the people of a screen, while no other task or process does.
    ///
    /// - Returns: The result of `edit`.
    /// - Throws: As ``exclusively(for:_:)``.
    func changeHousehold<Value: Sendable>(
        for key: TokenStoreKey,
        _ edit: @Sendable (inout HouseholdItem) -> Value
    ) async throws -> Value {
        try await exclusively(for: key) {
            var household = try await household(for: key)
            let value = edit(&household)
            try await save(household, for: key)
            return value
        }
    }
}
