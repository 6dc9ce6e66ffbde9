#if PostgreSQL
public import Countersign

/// The reason that the database could not be opened, in a sentence for the person who started the program.
///
/// Two errors are equal when their codes are.
public struct PostgresStoreOpeningError: CodedError, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The URL cannot be read.
        case badURL
        /// The server does not answer.
        case unreachable
        /// The server has no database of that name.
        case noDatabase
        /// The server refuses this user, or the user lacks permissions that the store needs.
        case notAllowed
        /// The tables are those of an older version.
        case olderSchema
        /// The database cannot hold the tables of this program.
        case unusable
    }

    /// The kind of failure.
    public let code: Code
    /// The database it is about, without a password.
    public let database: String
    /// The message of the system or the database, for the log.
    public let reason: String

    init(_ code: Code, database: String, reason: String) {
        self.code = code
        self.database = database
        self.reason = reason
    }

    /// The failure and its remedy.
    public var description: String {
        switch code {
        case .badURL:
            "The URL of the database cannot be used (\(reason)). It looks like postgres://user:password@host:5432/name;"
                + " in user, password and name every special character is written with a percent sign."
        case .unreachable:
            "The database \(database) cannot be reached (\(reason)). See that PostgreSQL runs there and that the address"
                + " is right."
        case .noDatabase:
            "The database \(database) is not there (\(reason)). Create it, or write its name as it is."
        case .notAllowed:
            "The database \(database) rejected the connection (\(reason)). See that the user, the password and the"
                + " rights are right."
        case .olderSchema:
            "The database \(database) has the tables of an older version (\(reason)). Make a backup, then run"
                + " countersign admin migrate."
        case .unusable:
            "The database \(database) cannot be used (\(reason))."
        }
    }
}
#endif
