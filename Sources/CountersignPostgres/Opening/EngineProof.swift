#if PostgreSQL
internal import CLibPQ
internal import Foundation

/// Proves on two connections that an engine provides the store's requirements: an advisory lock excludes until its
/// transaction ends, a notification arrives, and transactions see what they must.
///
/// Engines that speak PostgreSQL's protocol may accept these statements and ignore them. Two nodes would then use twice
/// what may be used once, so the store refuses such an engine before it writes anything. It writes nothing itself.
struct EngineProof {
    /// The functions that are tried, with their schema.
    struct Functions {
        var lock = "pg_catalog.pg_advisory_xact_lock"
        var tryLock = "pg_catalog.pg_try_advisory_xact_lock"
        var notify = "pg_catalog.pg_notify"
        var isVisible = "pg_catalog.txid_visible_in_snapshot"
    }

    /// A fault of an engine.
    enum ProofError: String, Error {
        case lockDoesNotExclude = "its advisory locks do not exclude, so two servers could use a single-use thing twice"
        case lockIsNotReleased = "its advisory locks outlast their transaction, so no server could ever write again"
        case lockDoesNotWait = "its advisory locks do not wait for one another, so changes would be lost"
        case noNotification =
            "no notification arrives on a connection that listens, so a server would not learn of changes"
        case staleReads = "a statement does not see what was committed before it, so two servers could decide the same"
        case unstableReads =
            "a read-only transaction sees what was committed after it began, so look-ups could mix states"
    }

    /// The first key of the locks that are tried; those of the store have another.
    private static let lockName = 0x434F_5550
    var functions = Functions()
    /// The number of waits for a notification, 50 ms each: 5 seconds by default.
    var mostWaits = 100

    /// Tries everything.
    ///
    /// - Parameters:
    ///   - first: A connection whose transactions have the isolation of a writer.
    ///   - second: Another one.
    /// - Throws: ``PostgresStoreOpeningError`` that names the engine.
    func prove(on first: PostgresConnection, and second: PostgresConnection) throws {
        do {
            try proveLock(first, second)
            try proveIsolation(first, second)
            try proveNotification(first, second)
        } catch {
            guard let reason = Self.reason(for: error) else { throw error }
            let engine = try first.engineName()
            throw PostgresStoreOpeningError(
                .unusable, database: first.address.description, reason: "\(engine): \(reason)")
        }
    }

    /// The fault that an error shows; `nil` for an error that may pass.
    private static func reason(for error: any Error) -> String? {
        if let fault = error as? ProofError { return fault.rawValue }
        guard case .refused(let state, let message)? = error as? PostgresError, !state.isPassing else { return nil }
        return message
    }

    private func proveLock(_ first: PostgresConnection, _ second: PostgresConnection) throws {
        // The number of the process, so that several servers can try at once.
        let key = try first.commandAnswer("SELECT pg_catalog.pg_backend_pid()") ?? "0"
        let arguments = "(\(Self.lockName), \(key))"
        try first.command("BEGIN")
        try first.command("SELECT \(functions.lock)\(arguments)")
        let isTakenTwice = try second.commandAnswer("SELECT \(functions.tryLock)\(arguments)") == "t"
        guard !isTakenTwice else { throw ProofError.lockDoesNotExclude }
        let hasWaited = try second.isRefusedForLock(
            "BEGIN; SET LOCAL lock_timeout = 20; SELECT \(functions.lock)\(arguments)")
        try second.command("ROLLBACK")
        guard hasWaited else { throw ProofError.lockDoesNotWait }
        try first.command("COMMIT")
        let isFree = try second.commandAnswer("SELECT \(functions.tryLock)\(arguments)") == "t"
        guard isFree else { throw ProofError.lockIsNotReleased }
    }

    /// Proves that a change sees the commits before each of its statements, and that a lookup sees none after its first
    /// statement.
    private func proveIsolation(_ first: PostgresConnection, _ second: PostgresConnection) throws {
        for (isolation, mustSee) in [("READ COMMITTED", true), ("REPEATABLE READ, READ ONLY", false)] {
            try second.command("BEGIN ISOLATION LEVEL \(isolation)")
            try second.command("SELECT pg_catalog.txid_current_snapshot()")
            let committed = try first.commandAnswer("SELECT pg_catalog.txid_current()") ?? "0"
            let sees = try second.commandAnswer(
                "SELECT \(functions.isVisible)(\(committed), pg_catalog.txid_current_snapshot())")
            try second.command("COMMIT")
            guard (sees == "t") == mustSee else { throw mustSee ? ProofError.staleReads : .unstableReads }
        }
        guard try first.commandAnswer("SHOW transaction_isolation") == "read committed" else {
            throw ProofError.staleReads
        }
    }

    private func proveNotification(_ first: PostgresConnection, _ second: PostgresConnection) throws {
        let channel = "countersign_proof_\(try first.commandAnswer("SELECT pg_catalog.pg_backend_pid()") ?? "0")"
        try second.command("LISTEN \(channel)")
        try first.command("SELECT \(functions.notify)('\(channel)', 'arrived')")
        var waits = 0
        while try !second.receivedNotifications().contains("arrived") {
            guard waits < mostWaits else { throw ProofError.noNotification }
            waits += 1
            var socket = pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&socket, 1, 50)
        }
        try second.command("UNLISTEN *")
    }
}

extension PostgresConnection {
    /// The engine, as it names itself.
    fileprivate func engineName() throws(PostgresError) -> String {
        if isInTransaction { try command("ROLLBACK") }
        return try commandAnswer("SELECT pg_catalog.version()") ?? "an engine that does not say its name"
    }

    /// Whether statements fail because they wait too long for a lock.
    fileprivate func isRefusedForLock(_ sql: String) throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            try command(sql)
            return false
        } catch {
            guard case .refused(let state, _) = error, state.code == "55P03" else { throw error }
            return true
        }
    }
}
#endif
