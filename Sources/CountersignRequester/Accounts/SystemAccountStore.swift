public import Countersign
public import CountersignWire

/// The seam to the accounts that the system holds.
///
/// The system asks the person for permission, signs with the account's own secrets, and never discloses those. Apple's
/// systems had such a store until iOS 11 and macOS 10.13; phones have none any more. ``StoredAccounts`` is one of this
/// project, for any system; on Linux, `GNOMEOnlineAccounts` is the desktop's. ``CombinedAccounts`` joins several.
public protocol SystemAccountStore: Sendable {
    /// The place for adding accounts and for taking permissions back.
    var settings: SystemAccountSettings { get }

    /// Returns the accounts of a provider, when the person lets the app use them. The person is asked once for each
    /// app; the answer is remembered.
    ///
    /// - Parameter access: The requesting app and its rights.
    /// - Throws: ``SystemAccountStoreError`` `accountNotFound`, `permissionDenied`, `unsupported` or `failed`.
    func accounts(for access: SystemAccountAccess) async throws(SystemAccountStoreError) -> [SystemAccount]

    /// Signs a request by OAuth 1 with the account's own credentials.
    ///
    /// - Parameters:
    ///   - request: The request to sign.
    ///   - account: One of the accounts that the store returned.
    ///   - access: The permission.
    /// - Returns: The value of the `Authorization` header.
    /// - Throws: ``SystemAccountStoreError`` when there is no such account or permission any more, it is signed out, or
    ///   it cannot sign.
    func sign(
        _ request: OAuth1Request,
        as account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> String

    /// Returns the account's token for the app.
    ///
    /// - Parameters:
    ///   - account: One of the accounts that the store returned.
    ///   - access: The permission.
    /// - Throws: ``SystemAccountStoreError`` when there is no such account or permission any more, it is signed out, or
    ///   it has no token.
    func token(
        of account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> AccessToken

    /// Renews what the account signs in with, after the provider has refused it.
    ///
    /// - Parameters:
    ///   - account: One of the accounts that the store returned.
    ///   - refused: The token that the provider refused.
    ///   - access: The permission.
    /// - Returns: Whether there is a new one.
    /// - Throws: ``SystemAccountStoreError`` when the store fails.
    func renew(
        _ account: SystemAccount,
        insteadOf refused: AccessToken,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountRenewal
}

/// The result of renewing an account.
public enum SystemAccountRenewal: Sendable, Hashable, CaseIterable {
    /// There is a new token.
    case renewed
    /// The person has to sign in to the account again.
    case rejected
    /// Nothing came of it.
    case failed
}

/// The place for adding accounts and for taking permissions back.
public struct SystemAccountSettings: Sendable, Hashable {
    /// An address that opens the settings; `nil` if there is none.
    public let address: String?
    /// The program that opens the settings, and its arguments; empty where there is none. On Linux `XDGOpener` starts
    /// it.
    public let program: [String]
    /// The steps for the person, in words.
    public let instruction: String

    /// The settings of a store.
    public init(address: String?, program: [String] = [], instruction: String) {
        self.address = address
        self.program = program
        self.instruction = instruction
    }
}

/// The reason that the system's accounts cannot be used.
///
/// Two errors are equal when their codes are; the reason is for the log.
public struct SystemAccountStoreError: CodedError, CustomStringConvertible {
    /// The kinds of failure that lead to different steps.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no such account.
        case accountNotFound
        /// The person does not let the app use the accounts.
        case permissionDenied
        /// The store has no accounts of this provider, and never will.
        case unsupported
        /// The account is signed out at its provider: the person has to sign in to it again, in the settings.
        case newSignInNeeded
        /// The store failed.
        case failed
    }

    /// The kind of failure.
    public let code: Code
    /// The reason, for the log; it holds no secret.
    public let reason: String

    /// An error with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    /// An error by the number that Apple's account store gave it, for a store that speaks to a system of that kind.
    ///
    /// - Parameters:
    ///   - number: The number in the domain `com.apple.accounts`: 6 for no account, 7 for no permission.
    ///   - info: The explanation that the system adds; a refused permission with one is a mistake of the app, and not
    ///     the person's answer.
    public init(number: Int, info: String?) {
        switch (number, info) {
        case (6, _): self.init(.accountNotFound, because: info ?? "the store has no account")
        case (7, nil): self.init(.permissionDenied, because: "the person denied it")
        default: self.init(.failed, because: "error \(number): \(info ?? "no explanation")")
        }
    }

    /// Kind and reason, for the log.
    public var description: String { "\(code.rawValue): \(reason)" }
}

extension OAuth1Signer {
    /// The `Authorization` header of a request that an account of the system signs.
    func header(for request: OAuth1Request) throws(SystemAccountStoreError) -> String {
        do throws(OAuth1Error) {
            return try sign(request).header
        } catch {
            throw SystemAccountStoreError(.failed, because: error.reason)
        }
    }
}
