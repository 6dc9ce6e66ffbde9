public import Countersign
public import CountersignWire

/// Several stores of accounts as one: those that a person has added, and those of the desktop.
///
/// Each is asked in turn. The person is asked once for all of them if they remember answers in the same token store.
public struct CombinedAccounts: SystemAccountStore {
    private let stores: [any SystemAccountStore]
    public let settings: SystemAccountSettings

    /// Combines stores.
    ///
    /// - Parameters:
    ///   - first: The store that is asked first, and whose account counts where two have the same identifier.
    ///   - others: The others, in the order of being asked.
    public init(_ first: any SystemAccountStore, _ others: any SystemAccountStore...) {
        stores = [first] + others
        settings = SystemAccountSettings(
            address: stores.lazy.compactMap(\.settings.address).first,
            program: stores.lazy.map(\.settings.program).first { !$0.isEmpty } ?? [],
            instruction: stores.map(\.settings.instruction).joined(separator: " ")
        )
    }

    /// Returns the accounts of all stores that have some.
    ///
    /// - Throws: ``SystemAccountStoreError`` when no store has any: the one that the person can do the most about.
    public func accounts(for access: SystemAccountAccess) async throws(SystemAccountStoreError) -> [SystemAccount] {
        var accounts: [SystemAccount] = []
        var problem: SystemAccountStoreError?
        for store in stores {
            do throws(SystemAccountStoreError) {
                for account in try await store.accounts(for: access)
                where !accounts.contains(where: { $0.provider == account.provider && $0.id == account.id }) {
                    accounts.append(account)
                }
            } catch {
                problem = problem.map { $0.weight >= error.weight ? $0 : error } ?? error
            }
        }
        if accounts.isEmpty, let problem { throw problem }
        return accounts
    }

    /// Signs a request with the store that has the account.
    ///
    /// - Throws: ``SystemAccountStoreError`` of the store that has the account, `accountNotFound` when none has,
    ///   `permissionDenied` when none may give it.
    public func sign(
        _ request: OAuth1Request,
        as account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> String {
        try await first { store throws(SystemAccountStoreError) in
            try await store.sign(request, as: account, for: access)
        }
    }

    /// Returns the token from the store that has the account.
    ///
    /// - Throws: ``SystemAccountStoreError`` of the store that has the account, `accountNotFound` when none has,
    ///   `permissionDenied` when none may give it.
    public func token(
        of account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> AccessToken {
        try await first { store throws(SystemAccountStoreError) in try await store.token(of: account, for: access) }
    }

    /// Renews an account in the store that has it.
    ///
    /// - Throws: ``SystemAccountStoreError`` of the store that has the account, `accountNotFound` when none has,
    ///   `permissionDenied` when none may give it.
    public func renew(
        _ account: SystemAccount,
        insteadOf refused: AccessToken,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountRenewal {
        try await first { store throws(SystemAccountStoreError) in
            try await store.renew(account, insteadOf: refused, for: access)
        }
    }

    /// The answer of the first store that has the account and may give it.
    private func first<Value>(
        _ ask: (any SystemAccountStore) async throws(SystemAccountStoreError) -> Value
    ) async throws(SystemAccountStoreError) -> Value {
        var problem = SystemAccountStoreError(.accountNotFound, because: "no store has the account any more")
        for store in stores {
            do throws(SystemAccountStoreError) {
                return try await ask(store)
            } catch {
                // A store that was not asked before does not allow what it does not have.
                guard [.accountNotFound, .unsupported, .permissionDenied].contains(error.code) else { throw error }
                if error.weight > problem.weight { problem = error }
            }
        }
        throw problem
    }
}

extension SystemAccountStoreError {
    /// The weight of what the person can do about the failure, compared with others.
    fileprivate var weight: Int {
        switch code {
        case .permissionDenied: 4
        case .newSignInNeeded: 3
        case .failed: 2
        case .accountNotFound: 1
        case .unsupported: 0
        }
    }
}
