public import Countersign
public import CountersignWire

/// Keeps what a screen holds, from one start of the app to the next.
///
/// What was saved is safe from a crash once ``save(_:for:)`` has returned.
public protocol TokenStore: Sendable {
    /// What is kept under `key`; `nil` when nothing is.
    func load(_ key: TokenStoreKey) async throws -> SignedIn?
    /// Keeps `signedIn` under `key`, in place of what was there.
    func save(_ signedIn: SignedIn, for key: TokenStoreKey) async throws
    /// Forgets what is kept under `key`, if anything is.
    func remove(_ key: TokenStoreKey) async throws
}

/// Under which tokens are kept: one sign-in for each server and app.
public struct TokenStoreKey: Sendable, Hashable {
    public let issuer: Issuer
    public let client: ClientID

    /// The key for this app at this server.
    public init(issuer: Issuer, client: ClientID) {
        self.issuer = issuer
        self.client = client
    }
}

/// Why a store could not do what it was asked. Two errors are equal when their codes are.
public struct TokenStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What could not be done.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case notRead, notWritten, notRemoved
        /// What is kept was not written by this store, or is damaged.
        case damaged
    }

    public let code: Code
    /// What happened, for the log; it holds no secret.
    public let reason: String

    /// An error with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    public static func == (left: TokenStoreError, right: TokenStoreError) -> Bool {
        left.code == right.code
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
