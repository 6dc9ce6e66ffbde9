internal import Foundation
public import NIOPosix

/// The cost of scrypt: N = 2^`logN`, r = 8, p = 1, which needs 2^(`logN` + 10) bytes of memory.
public struct PasswordCost: Sendable, Equatable {
    /// The binary logarithm of N.
    public let logN: Int

    /// Creates a cost.
    public init(logN: Int) {
        precondition((1...20).contains(logN), "the cost of scrypt is from 2^1 to 2^20")
        self.logN = logN
    }

    /// N = 2^17: about a quarter of a second and 128 MiB for each attempt.
    public static let standard = PasswordCost(logN: 17)
}

/// Hashes passwords, slowly and a few at a time.
///
/// Standard: RFC 7914 (scrypt).
public struct PasswordHasher: Sendable {
    private let cost: PasswordCost
    private let random: RandomSource
    private let threads: NIOThreadPool
    private let turns: PasswordTurns
    private let metrics: PasswordMetrics?

    /// The maximum number of hashes that wait or run, which take about ten seconds, except in the queue for known
    /// browsers.
    static let mostWaiting = 64
    /// The capacity of the queue for known browsers.
    static let mostOfKnownBrowsers = 64
    /// The default number of concurrent hashes.
    static let atOnce = 2
    /// The length of the salts of new hashes, in bytes.
    private static let saltLength = 16
    private let hashing: @Sendable (PasswordCost) -> Void

    /// The number of hashes that run or wait.
    var queueLength: Int { turns.count }

    /// Creates a hasher.
    ///
    /// - Parameters:
    ///   - cost: The cost of new hashes; a stored hash contains its cost.
    ///   - random: The source of salts, 16 bytes each.
    ///   - threads: The threads that compute hashes; few, because each hash needs a processor and much memory.
    ///   - atOnce: The number of concurrent hashes; 2 by default, and at least one.
    ///   - metrics: The metrics of queue length and durations; none by default.
    public init(
        cost: PasswordCost,
        drawingFrom random: RandomSource,
        on threads: NIOThreadPool,
        atOnce: Int = 2,
        measuring metrics: PasswordMetrics? = nil
    ) {
        self.init(cost: cost, drawingFrom: random, on: threads, atOnce: atOnce, measuring: metrics) { _ in }
    }

    /// Creates a hasher that reports the cost of each hash, for tests.
    init(
        cost: PasswordCost,
        drawingFrom random: RandomSource,
        on threads: NIOThreadPool,
        atOnce: Int = PasswordHasher.atOnce,
        measuring metrics: PasswordMetrics? = nil,
        hashing: @escaping @Sendable (PasswordCost) -> Void
    ) {
        turns = PasswordTurns(
            serving: max(1, atOnce), holding: Self.mostWaiting, reserving: Self.mostOfKnownBrowsers)
        self.hashing = hashing
        self.metrics = metrics
        self.cost = cost
        self.random = random
        self.threads = threads
    }

    /// Returns the hash to store for a new password, with a new salt.
    ///
    /// - Parameter password: The password, which is normalised to NFC.
    /// - Throws: ``RateLimitError`` when 64 hashes already wait or run.
    public func hash(_ password: Password) async throws -> PasswordHash {
        try await inTurn(of: "", inKnownBrowserOf: nil) { try await makeHash(password) }
    }

    /// Whether `password` matches the stored hash; `false` after the same time without a stored hash.
    ///
    /// - Parameters:
    ///   - password: The typed password.
    ///   - stored: The hash of the account; `nil` for an unknown account.
    ///   - address: The network address of the person, for the fair queue; `nil`, the default, counts as one network.
    /// - Throws: ``RateLimitError`` when 64 hashes already wait or run, and none of another network can be evicted.
    public func matches(
        _ password: Password, _ stored: PasswordHash?, from address: String? = nil
    ) async throws -> Bool {
        try await verify(password, stored, from: address, inKnownBrowserOf: nil).isRight
    }

    /// The same, with the hash that replaces one of another system or of a lower cost than new ones, and with a separate queue for known browsers, which
    /// strangers cannot fill.
    ///
    /// The replacement is made beside the verification, so that people with a hash of another system wait as long as
    /// unknown ones; longer only if the other function takes longer.
    ///
    /// - Parameter person: The person of the known browser; `nil` for another browser.
    func verify(
        _ password: Password, _ stored: PasswordHash?, from address: String?, inKnownBrowserOf person: Subject?
    ) async throws -> PasswordVerification {
        try await inTurn(of: CountedAddress.widest(of: address), inKnownBrowserOf: person) {
            switch stored?.kind {
            case .scrypt(let own)? where own.isOwn && own.logN >= cost.logN:
                return try await isRight(password, for: .scrypt(own)) ? .right : .wrong
            case let replaceable?:
                async let replacement = makeHash(password)
                let isRight = try await isRight(password, for: replaceable)
                let hash = try await replacement
                return isRight ? .rightInForeignForm(replacement: hash) : .wrong
            case nil:
                _ = try await derive(password, cost: cost, salt: [UInt8](repeating: 0, count: Self.saltLength))
                return .wrong
            }
        }
    }

    /// Only hashes of the server's own form are of the normalised password.
    private func isRight(_ password: Password, for kind: PasswordHashKind) async throws -> Bool {
        guard case .scrypt(let own) = kind, own.isOwn else {
            return try await threads.runIfActive { try kind.matches(password) }
        }
        let hash = try await derive(password, cost: PasswordCost(logN: own.logN), salt: own.salt)
        return SecretDigest(restoring: hash) == SecretDigest(restoring: own.hash)
    }

    private func inTurn<Value: Sendable>(
        of network: String, inKnownBrowserOf person: Subject?, _ body: () async throws -> Value
    ) async throws -> Value {
        let began = metrics?.begin()
        defer { metrics?.end() }
        try await turns.turn(of: network, inKnownBrowserOf: person)
        defer { turns.end() }
        defer { if let began { metrics?.hashed(since: began) } }
        return try await body()
    }

    private func makeHash(_ password: Password) async throws -> PasswordHash {
        let salt = random.bytes(Self.saltLength)
        return PasswordHash(cost: cost, salt: salt, hash: try await derive(password, cost: cost, salt: salt))
    }

    private func derive(_ password: Password, cost: PasswordCost, salt: [UInt8]) async throws -> [UInt8] {
        hashing(cost)
        return try await threads.runIfActive {
            let text = Array(password.revealed.precomposedStringWithCanonicalMapping.utf8)
            let function = ScryptHash(logN: cost.logN, salt: salt, hash: [])
            return try function.derive(from: text, count: ScryptHash.ownLength)
        }
    }
}

extension PasswordHash {
    init(cost: PasswordCost, salt: [UInt8], hash: [UInt8]) {
        self.init(.scrypt(ScryptHash(logN: cost.logN, salt: salt, hash: hash)))
    }
}
