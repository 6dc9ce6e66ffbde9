/// Where the server keeps everything that must survive it.
///
/// Two ways in, and no third: a closure that reads, and a closure that reads, decides and writes as one step. The
/// repositories exist only inside the closure.
public protocol Store: Sendable {
    /// Reads from one consistent state.
    ///
    /// `body` must not write. It may run more than once, on different states, so it must have no effect outside; only
    /// what its last run returns or throws counts.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value

    /// Makes one change, all of it or nothing, and returns when it is durable.
    ///
    /// A change that throws is rolled back alone. `body` may run more than once, so it must have no effect outside.
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value

    /// Notifies `observer` from now on of what changes, in this process and in every other that shares the database.
    ///
    /// A change of this process is notified after it is durable and before its caller is answered: who acts on an answer
    /// finds every cache here up to date. A change of another process is notified as soon as the store learns of it,
    /// mostly within a fifth of a second. A store that can lose the connection on which it is notified itself says
    /// ``StoreChange/notificationsLost`` when it notices; where the network drops everything that takes some seconds.
    ///
    /// - Parameter observer: called in the order of the changes, on a thread of the store. It must be quick, and must not
    ///   use the store.
    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void)
}

/// The nouns that are stored, each with a small repository of its own.
///
/// Inside one closure they all see the same state. A look-up returns an optional; what is wrong with the database
/// itself is thrown. Every insertion throws ``StoreRefusal/alreadyExists`` when a key of its record is taken; an
/// update of what is not there does nothing. Every instant comes back exactly as it went in, and is compared exactly.
/// So does every text, but that U+0000, which databases cannot keep, comes back as U+FFFD. To get a repository throws where
/// a closure runs on a cache that does not have it; the closure is then run again on the store.
public protocol Repositories {
    var exchanges: any ExchangeRepository { get throws }
    var clients: any ClientRepository { get throws }
    var people: any PersonRepository { get throws }
    var domains: any DomainRepository { get throws }
    var browserSessions: any BrowserSessionRepository { get throws }
    var signIns: any SignInRecordRepository { get throws }
    var accessTokens: any AccessTokenRepository { get throws }
    var refreshTokens: any RefreshTokenRepository { get throws }
    var repeatableAnswers: any RepeatableAnswerRepository { get throws }
    var serverKeys: any ServerKeyRepository { get throws }
    var counts: any CountRepository { get throws }
    var nearbyLooks: any NearbyLookRepository { get throws }
    var nearbyDecisions: any NearbyDecisionRepository { get throws }
    var audit: any AuditRepository { get throws }
}

/// What a store refuses, apart from errors of the database.
public enum StoreRefusal: Error, Sendable, Equatable {
    /// There is one with this identifier, name or code already.
    case alreadyExists
    /// The database was made by a newer version of this program.
    case newerSchema
}

/// The store was closed before it was asked.
public protocol ClosedStore: Error {}

/// The database cannot be used for a while; the caller should try again a little later.
///
/// Equal are those of the same code.
public struct StoreUnavailable: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is known about the change or look-up.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// It was not made, and left nothing behind.
        case notDone
        /// The connection was lost while a change was being committed: it was made, or it was not.
        case outcomeUnknown
    }

    public let code: Code
    /// What the system or the database said, for the log.
    public let reason: String

    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String {
        switch code {
        case .notDone: "The database cannot be used at the moment (\(reason))."
        case .outcomeUnknown: "The database was lost during a commit, and whether it counts is unknown (\(reason))."
        }
    }

    public static func == (left: StoreUnavailable, right: StoreUnavailable) -> Bool {
        left.code == right.code
    }
}
