internal import Crypto
public import Foundation

/// How often something happened lately, so that a limit holds whichever node is asked.
public protocol CountRepository {
    /// Finds the count under a key, also when its span is over; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ key: CountKey) throws -> Count?
    /// Counts `times` more under `key`, or fewer when it is negative, and never less than none.
    ///
    /// A span begins with the first that is counted, lasts `span` seconds, and then begins anew with the next. One that
    /// ends later than `span` seconds from `now` was begun before the clock was set back, and begins anew too.
    ///
    /// - Parameters:
    ///   - times: How much to add; negative takes away.
    ///   - key: What is counted, and for whom.
    ///   - span: How long a span lasts, in seconds.
    ///   - now: The time.
    /// - Returns: The count as it is now.
    /// - Throws: What the database reports, as ``Repositories`` says.
    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count
    /// Removes at most `limit` counts whose span was over before `instant`; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// How often something happened in a span of time that began when it first did.
public struct Count: Sendable, Equatable {
    /// How often it happened in this span.
    public let times: Int
    /// When the span is over and counting begins anew.
    public let ends: Date

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - times: How often it happened in this span.
    ///   - ends: When the span is over and counting begins anew.
    public init(times: Int, ends: Date) {
        self.times = times
        self.ends = ends
    }
}

/// What is counted and for whom, as a digest: the store need not know the names that strangers tried.
public struct CountKey: Sendable, Hashable {
    /// The first 16 bytes of a SHA-256 digest.
    public let bytes: [UInt8]

    /// The key under which `name` is counted for `whom`.
    public init(_ name: LimitName, of whom: String) {
        var hash = SHA256()
        hash.update(data: Array(name.rawValue.utf8))
        hash.update(data: [0])
        hash.update(data: Array(whom.utf8))
        bytes = Array(hash.finalize().prefix(16))
    }
}
