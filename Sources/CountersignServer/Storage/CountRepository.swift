internal import Crypto
public import Foundation

/// How often something happened lately, so that a limit holds whichever node is asked.
public protocol CountRepository {
    /// The count under `key`, also when its time is over.
    func find(_ key: CountKey) throws -> Count?
    /// Counts `times` more under `key`, or fewer when it is negative, and returns how many there are now: never less
    /// than none.
    ///
    /// A span begins with the first that is counted, lasts `span` seconds, and then begins anew with the next. One that
    /// ends later than `span` seconds from `now` was begun before the clock was set back, and begins anew too.
    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count
    /// Removes at most `limit` counts whose time was over before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// How often something happened in a span of time that began when it first did.
public struct Count: Sendable, Equatable {
    public let times: Int
    /// When the span is over and counting begins anew.
    public let ends: Date

    public init(times: Int, ends: Date) {
        self.times = times
        self.ends = ends
    }
}

/// What is counted and for whom, as a digest: the store need not know the names that strangers tried.
public struct CountKey: Sendable, Hashable {
    /// 16 bytes.
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
