#if PostgreSQL
internal import CountersignSQL
internal import CountersignStorage

/// An error of PostgreSQL or of the connection to it.
enum PostgresError: EngineError, Sendable, CustomStringConvertible {
    /// The connection was lost, or could not be opened.
    case lost(String)
    /// The server refused a statement, with this code.
    case refused(SQLState, String)

    /// Whether the same statements may succeed a moment later, perhaps on another connection.
    var isPassing: Bool {
        switch self {
        case .lost: true
        case .refused(let state, _): state.isPassing
        }
    }

    /// Serialization failure or deadlock: the transaction was rolled back and can be retried.
    var isClash: Bool {
        switch self {
        case .lost: false
        case .refused(let state, _): state.isClash
        }
    }

    var unavailable: StoreUnavailableError? { isPassing ? StoreUnavailableError(.notDone, reason: description) : nil }

    var description: String {
        switch self {
        case .lost(let reason): reason
        case .refused(let state, let message): "\(message) (SQLSTATE \(state.code))"
        }
    }
}

/// The reason that PostgreSQL refused a statement.
///
/// Standard: PostgreSQL 15, appendix A.
struct SQLState: Sendable, Equatable {
    let code: String

    /// Temporary: lack of resources, shutdown or start-up, a standby, or a conflict of transactions.
    var isPassing: Bool {
        switch code {
        case "40001", "40P01", "55P03", "57014", "25006", "25P03": true
        default: code.hasPrefix("08") || code.hasPrefix("53") || code.hasPrefix("57P") || code.hasPrefix("58")
        }
    }

    /// The server rolled a transaction back in favour of another: `serialization_failure`, `deadlock_detected`.
    var isClash: Bool { code == "40001" || code == "40P01" }

    /// Access is denied: role, password, database, permissions or `pg_hba.conf`.
    var isAboutRights: Bool { code.hasPrefix("28") || code.hasPrefix("3D") || code == "42501" }
}
#endif
