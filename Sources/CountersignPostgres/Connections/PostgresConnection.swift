#if PostgreSQL
internal import CLibPQ
internal import CountersignSQL
internal import CountersignStorage
internal import Foundation

/// One connection to the server, used by one thread only.
///
/// Statements are prepared at first use, and cached. Statements passed to ``later(_:_:)`` are sent with the next one,
/// so that they need no round trip of their own. So are the writes of repositories while ``defersWrites``.
final class PostgresConnection: SQLConnection {
    private struct Outgoing {
        let sql: String
        let values: [SQLValue?]
        /// Whether it is an insertion that is not done when a key is taken.
        var isInsertion = false
    }

    let address: DatabaseAddress
    let handle: OpaquePointer
    /// The names of the prepared statements, and how many names were ever used.
    private var prepared: [String: String] = [:]
    private var names = 0
    /// The statements whose preparation is not confirmed yet.
    private var unconfirmed: [String] = []
    private var ahead: [Outgoing] = []
    /// Whether writes of repositories are sent later, so that a refused one is noticed too late to tell whose it was.
    var defersWrites = false
    /// Whether a row that was to be inserted later was not inserted, because one of its keys was taken.
    private(set) var missedInsertion = false

    /// The first refusal since the transaction began; later statements of the transaction have no effect.
    private(set) var refusal: PostgresError?
    var failure: (any Error)? { refusal }
    /// Whether a row was changed since the transaction began.
    private(set) var hasChanged = false

    /// The longest silence of the server while an answer is awaited, in steps of 50 ms; `nil` for as long as the
    /// connection lasts.
    private let answerTimeout: Duration?
    /// The same outside of the pipeline; migrations take as long as they take.
    private(set) var commandTimeout: Duration?
    /// Whether an answer did not come in time; nothing else is waited for then.
    private var isSilent = false

    /// Connects, and configures the session for its role.
    ///
    /// - Parameter answerTimeout: The longest silence of the server while an answer is awaited, in steps of 50 ms:
    ///   longer than it lets a statement run. A suspended machine ends no statement, and keeps its connections. `nil`,
    ///   the default, for as long as the connection lasts.
    init(to address: DatabaseAddress, as role: ConnectionRole, answerTimeout: Duration? = nil) throws(PostgresError) {
        self.address = address
        self.answerTimeout = answerTimeout
        commandTimeout = answerTimeout ?? Timeouts().answer
        handle = try Self.connected(to: address, as: role)
        try prepareSession(for: role)
        if role == .migrator { commandTimeout = nil }
        if role.hasPipeline, PQenterPipelineMode(handle) == 0 { throw loss() }
    }

    deinit { PQfinish(handle) }

    /// Whether the connection is lost. It is then unknown whether its last statements took effect.
    var isLost: Bool { isSilent || PQstatus(handle) == CONNECTION_BAD }

    var isInTransaction: Bool {
        switch PQtransactionStatus(handle) {
        case PQTRANS_INTRANS, PQTRANS_INERROR: true
        default: false
        }
    }

    /// Sends a statement together with the next one that is run.
    func later(_ sql: String, _ values: [SQLValue?] = []) {
        ahead.append(Outgoing(sql: sql, values: values))
    }

    /// Discards the statements passed to ``later(_:_:)``.
    func discardLater() {
        ahead.removeAll()
        missedInsertion = false
    }

    /// Sends the statements passed to ``later(_:_:)``, if there are any, and returns their answers.
    @discardableResult
    func settle() throws(PostgresError) -> [PostgresResult] {
        guard !ahead.isEmpty else { return [] }
        let outgoing = ahead
        ahead = []
        do {
            try send(outgoing)
            return try receive(outgoing)
        } catch {
            if refusal == nil { refusal = error }
            throw error
        }
    }

    /// Rolls the transaction back, and discards the statements that were not sent yet.
    func rollBack() throws(PostgresError) {
        discardLater()
        try run("ROLLBACK")
    }

    /// Records that a transaction, or a savepoint in it, begins or was rolled back.
    func resetOutcome() {
        refusal = nil
        hasChanged = false
    }

    /// Runs a statement, and returns its answer.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue?] = []) throws(PostgresError) -> PostgresResult {
        let before = ahead.count
        later(sql, values)
        return try settle()[before]
    }

    /// The same for a statement that changes rows.
    func changing(_ sql: String, _ values: [SQLValue?]) throws(PostgresError) -> PostgresResult {
        let answer = try run(sql, values)
        if answer.changeCount > 0 { hasChanged = true }
        return answer
    }

    // MARK: Statements of the repositories

    @discardableResult
    func change(_ statement: SQLStatement, _ values: [SQLValue?]) throws(PostgresError) -> Int {
        try changing(statement[.postgres], values).changeCount
    }

    func write(_ statement: SQLStatement, _ values: [SQLValue?]) throws(PostgresError) {
        guard defersWrites else {
            try change(statement, values)
            return
        }
        hasChanged = true
        later(statement[.postgres], values)
    }

    func insert(_ statement: SQLStatement, _ values: [SQLValue?]) throws {
        guard defersWrites else { return try insertAtOnce(statement, values) }
        hasChanged = true
        ahead.append(Outgoing(sql: statement[.postgres], values: values, isInsertion: true))
    }

    func change(_ statement: SQLStatement, forEach rows: [[SQLValue?]]) throws(PostgresError) {
        guard let last = rows.last else { return }
        for row in rows.dropLast() { later(statement[.postgres], row) }
        try change(statement, last)
    }

    func query(_ statement: SQLStatement, _ values: [SQLValue?], limit: Int, _ body: (SQLRow) throws -> Void) throws {
        let answer = try run(statement[.postgres], values)
        for row in 0..<min(limit, answer.rowCount) { try body(SQLRow(answer[row])) }
    }

    /// Fetches rows that will be looked up, all with one message.
    func fetch(_ rows: Set<PrefetchedRow>, into prefetched: PrefetchedRows) throws(PostgresError) {
        let before = ahead.count
        let queries = prefetched.queries(for: rows)
        for query in queries { later(query.statement[.postgres], query.values) }
        for (query, answer) in zip(queries, try settle().dropFirst(before)) {
            query.keep((0..<answer.rowCount).map { SQLRow(answer[$0]) })
        }
    }

    /// The statements that were prepared.
    var statements: [String] { Array(prepared.keys) }

    // MARK: The pipeline

    private func send(_ outgoing: [Outgoing]) throws(PostgresError) {
        for statement in outgoing {
            if prepared[statement.sql] == nil {
                let name = "s\(names)"
                names += 1
                prepared[statement.sql] = name
                guard PQsendPrepare(handle, name, statement.sql, 0, nil) == 1 else { throw loss() }
                unconfirmed.append(statement.sql)
            }
            guard sendExecution(of: statement) else { throw loss() }
        }
        guard PQpipelineSync(handle) == 1 else { throw loss() }
    }

    private func sendExecution(of statement: Outgoing) -> Bool {
        let name = prepared[statement.sql] ?? ""
        var bytes: [UInt8] = []
        var places: [Range<Int>?] = []
        for value in statement.values {
            let start = bytes.count
            value?.append(to: &bytes)
            places.append(value == nil ? nil : start..<bytes.count)
        }
        // An extra byte, so that the pointer of an empty value is not null.
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = places.map { place in place.flatMap { base?.advanced(by: $0.lowerBound) } }
            let lengths = places.map { Int32($0?.count ?? 0) }
            let formats = Array(repeating: Int32(1), count: places.count)
            return PQsendQueryPrepared(handle, name, Int32(places.count), pointers, lengths, formats, 1) == 1
        }
    }

    /// Takes the answers of a pipeline, and returns those to its statements.
    private func receive(_ outgoing: [Outgoing]) throws(PostgresError) -> [PostgresResult] {
        var failure: PostgresError?
        var answers: [PostgresResult] = []
        answers.reserveCapacity(outgoing.count)
        var preparations = unconfirmed[...]
        var wasEmpty = false
        receiving: while true {
            if let answerTimeout { try awaitAnswer(silentFor: answerTimeout) }
            guard let result = PQgetResult(handle) else {
                // One null result ends each answer; two in a row mean that the connection is lost.
                guard !wasEmpty, !isLost else { throw loss() }
                wasEmpty = true
                continue
            }
            wasEmpty = false
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                break receiving
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                // A statement is prepared just before it is run for the first time.
                if answers.count < outgoing.count, preparations.first == outgoing[answers.count].sql {
                    preparations.removeFirst()
                    PQclear(result)
                } else {
                    answers.append(PostgresResult(owning: result))
                }
            case PGRES_PIPELINE_ABORTED:
                PQclear(result)
            default:
                if failure == nil { failure = refusal(in: result) }
                PQclear(result)
            }
        }
        if isLost { throw loss() }
        guard failure == nil, answers.count == outgoing.count, preparations.isEmpty else {
            // It is unknown which of them were prepared before the refusal; they get new names.
            for sql in unconfirmed { prepared[sql] = nil }
            unconfirmed.removeAll()
            throw failure ?? .lost("the server answered something else")
        }
        unconfirmed.removeAll()
        if zip(outgoing, answers).contains(where: { $0.isInsertion && $1.changeCount == 0 }) { missedInsertion = true }
        return answers
    }

    /// Waits until a result can be taken without waiting, as long as the server is not silent for this span.
    ///
    /// The socket is waited for in slices: libpq may hold bytes that were decrypted already, which only it sees.
    func awaitAnswer(silentFor span: Duration) throws(PostgresError) {
        let slice: Int32 = 50
        let most = Int(max(1, (span / .milliseconds(Int(slice))).rounded(.up)))
        var silent = 0
        while !isSilent, PQisBusy(handle) == 1 {
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            let ready = poll(&socket, 1, slice)
            guard ready >= 0 || errno == EINTR, PQconsumeInput(handle) == 1 else { throw loss() }
            silent = ready > 0 ? 0 : silent + 1
            isSilent = silent >= most && PQisBusy(handle) == 1
        }
        if isSilent { throw loss() }
    }

    // MARK: Errors

    func refusal(in result: OpaquePointer) -> PostgresError {
        guard !isLost, let state = PQresultErrorField(result, 67 /* PG_DIAG_SQLSTATE, 'C' */) else { return loss() }
        let message = PQresultErrorField(result, 77 /* PG_DIAG_MESSAGE_PRIMARY, 'M' */).map { String(cString: $0) }
        return .refused(SQLState(code: String(cString: state)), address.redacting(message ?? "no message"))
    }

    func loss() -> PostgresError {
        isSilent ? .lost("the server does not answer") : .lost(Self.message(of: handle, at: address))
    }

    static func message(of handle: OpaquePointer, at address: DatabaseAddress) -> String {
        let message = String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "; ")
        return message.isEmpty ? "the connection was lost" : address.redacting(message)
    }
}
#endif
