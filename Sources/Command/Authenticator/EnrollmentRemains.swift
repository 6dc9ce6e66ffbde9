internal import CountersignApprover
internal import CountersignRequester

/// The items of enrolments whose sign-in is not kept any more: a server that ends one leaves its key and its registration
/// here.
struct EnrollmentRemains: Sendable {
    private let store: SealedFileTokenStore
    private let items: [TokenStoreKey]

    /// The items of one enrolment that are named by its account; others, such as pinned certificates, are of no enrolment.
    private static let kinds = ["registration", "devices", "removal", "web-push"]

    /// Finds them.
    ///
    /// - Parameters:
    ///   - store: The store of the terminal.
    ///   - isChosen: Whether the sign-in that an enrolment had is one that the options allow.
    init(in store: SealedFileTokenStore, where isChosen: (TokenStoreKey) -> Bool) async throws {
        var items: [TokenStoreKey] = []
        for key in try await store.keys() {
            guard let signIn = Self.signIn(of: key), isChosen(signIn), try await store.signedIn(for: signIn) == nil
            else { continue }
            items.append(key)
        }
        self.store = store
        self.items = items
    }

    var isEmpty: Bool { items.isEmpty }

    func remove() async throws {
        for key in items { try await store.remove(key) }
    }

    /// The sign-in of the enrolment that an item belongs to; `nil` for an item of no enrolment.
    private static func signIn(of item: TokenStoreKey) -> TokenStoreKey? {
        guard let name = item.names.first, item.names.count == 1 else { return nil }
        switch item.kind {
        case .approverKey: return signIn(of: name)
        case .authenticator:
            guard let space = name.firstIndex(of: " "), kinds.contains(String(name[..<space])) else { return nil }
            return signIn(of: String(name[name.index(after: space)...]))
        default: return nil
        }
    }

    /// The sign-in of an account, which is named by its client and its issuer.
    private static func signIn(of account: String) -> TokenStoreKey? {
        guard let space = account.lastIndex(of: " ") else { return nil }
        return TokenStoreKey(.signIn, String(account[account.index(after: space)...]), String(account[..<space]))
    }
}

extension ApproverAccount.ID {
    /// The account of a sign-in.
    init(of signIn: TokenStoreKey) { self.init("\(signIn.names[1]) \(signIn.names[0])") }
}

extension CommandError {
    /// The server does not accept this terminal any more.
    static let signedOutAtServer = CommandError(
        "\(ApprovalError.Code.signedOut.sentence) \(removingRemains)", status: .refused)

    /// The command that removes what is left of an enrolment.
    static let removingRemains = "To remove what is left of it here, type: countersign authenticator sign-out"
}
