internal import Countersign
internal import Crypto
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Counters for limits, shared by all nodes.
public protocol RateCounterRepository {
    /// Finds the count under a key, also when its span is over; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ key: RateCounterKey) throws -> RateCounter?
    /// Adds `times`, which may be negative, to the count under `key`; the count never becomes negative.
    ///
    /// A span begins with the first event and lasts `span` seconds; the next event begins a new one. A span that ends
    /// later than `span` seconds from `now` was begun before the clock was set back, and is replaced too.
    ///
    /// - Parameters:
    ///   - times: How much to add; negative takes away.
    ///   - key: What is counted, and for whom.
    ///   - span: How long a span lasts, in seconds.
    ///   - pause: How long one event takes to leak out of the count, in seconds; `nil` for a count that does not leak.
    ///   - now: The time.
    /// - Returns: The count as it is now.
    /// - Throws: What the database reports, as ``Repositories`` says.
    func add(
        _ times: Int,
        to key: RateCounterKey,
        lasting span: TimeInterval,
        leaking pause: TimeInterval?,
        at now: Date
    ) throws -> RateCounter
    /// Removes at most `limit` counts whose span was over before `instant`, and from which everything has leaked;
    /// returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

extension RateCounterRepository {
    /// Adds to a count that does not leak, as ``add(_:to:lasting:leaking:at:)`` says.
    ///
    /// - Parameters:
    ///   - times: How much to add; negative takes away.
    ///   - key: What is counted, and for whom.
    ///   - span: How long a span lasts, in seconds.
    ///   - now: The time.
    /// - Returns: The count as it is now.
    /// - Throws: What the database reports, as ``Repositories`` says.
    public func add(_ times: Int, to key: RateCounterKey, lasting span: TimeInterval, at now: Date) throws
        -> RateCounter
    {
        try add(times, to: key, lasting: span, leaking: nil, at: now)
    }
}

/// How often something happened in a span of time that began with the first event.
public struct RateCounter: Sendable, Equatable {
    /// How often it happened in this span.
    public let times: Int
    /// When the span ends and counting starts at zero.
    public let ends: Date
    /// When everything will have leaked, whatever the span: each event takes a while, one after the other. `nil` for a
    /// count that does not leak.
    public let drained: Date?
    /// The time of the last count, with which ``drained`` agrees; `nil` for a count that does not leak.
    public let counted: Date?

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - times: How often it happened in this span.
    ///   - ends: When the span ends and counting starts at zero.
    ///   - drained: When everything will have leaked; `nil` for a count that does not leak.
    ///   - counted: When it was counted last; `nil` for a count that does not leak.
    public init(times: Int, ends: Date, drained: Date? = nil, counted: Date? = nil) {
        self.times = times
        self.ends = ends
        self.drained = drained
        self.counted = counted
    }
}

extension RateCounter {
    /// Whether a span that ends at `end` lasts at `now`, and was not begun before the clock was set back.
    package static func isCurrent(until end: Date, lasting span: TimeInterval, at now: Date) -> Bool {
        end.lasts(at: now, atMost: span)
    }

    /// When everything that was counted will have leaked; `nil` when nothing was, or all of it before the clock was set
    /// back.
    package func drained(at now: Date, lasting span: TimeInterval) -> Date? {
        guard let drained else { return nil }
        // A count of an older server says nothing of when it was made.
        let ahead = counted.map { $0.timeIntervalSince(now) } ?? (drained > now + span ? .infinity : 0)
        guard ahead <= Date.clockTolerance else { return nil }
        // The clock of another node may be ahead by as much.
        return min(drained - max(ahead, 0), now + span)
    }
}

/// What is counted and for whom, as a digest, so that the store holds no names that strangers tried.
public struct RateCounterKey: Sendable, Hashable {
    // Two numbers, since an array would be an allocation for each count of each request.
    private let high: UInt64
    private let low: UInt64

    /// The key under which `name` is counted for `whom`.
    ///
    /// - Parameters:
    ///   - name: What is counted.
    ///   - whom: The address, person, client or name that it is counted for.
    public init(_ name: CounterName, of whom: String) {
        var text = "\(name.rawValue)\0\(whom)"
        (high, low) = text.withUTF8 { text in
            SHA256.hash(data: UnsafeRawBufferPointer(text)).withUnsafeBytes { digest in
                (
                    UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
        }
    }

    /// The first 16 bytes of a SHA-256 digest.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }
}

extension RateCounterKey: Comparable {
    /// Orders keys as their bytes are ordered.
    public static func < (left: RateCounterKey, right: RateCounterKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
