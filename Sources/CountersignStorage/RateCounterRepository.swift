internal import Crypto
public import FoundationEssentialsCompat

/// Counters for limits, shared by all nodes.
public protocol RateCounterRepository {
    /// Finds the count under a key, also after its span; `nil` when there is none.
    func find(_ key: RateCounterKey) throws -> RateCounter?
    /// Adds `times`, which may be negative, to the count under `key`, which never becomes negative.
    ///
    /// A span begins with the first event and lasts `span` seconds; the next event begins a new one. A span that ends
    /// later than `span` seconds from `now` was begun before the clock was set back, and is replaced too.
    ///
    /// - Parameters:
    ///   - times: The number to add; a negative one is subtracted.
    ///   - key: The counter's name and the address, person, client or name that it counts for.
    ///   - span: The length of a span, in seconds.
    ///   - pause: The time for one event to leak out of the count, in seconds; `nil` for a count that does not leak.
    ///   - now: The time.
    /// - Returns: The count as it is now.
    func add(
        _ times: Int, to key: RateCounterKey, lasting span: TimeInterval, leaking pause: TimeInterval?, at now: Date
    ) throws -> RateCounter
    /// Removes the count under a key; returns whether there was one.
    func remove(_ key: RateCounterKey) throws -> Bool
    /// Removes at most `limit` counts whose span was over before `instant` and whose events have all leaked; returns
    /// how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

extension RateCounterRepository {
    /// Adds to a count that does not leak, as ``add(_:to:lasting:leaking:at:)`` says.
    ///
    /// - Parameters:
    ///   - times: The number to add; a negative one is subtracted.
    ///   - key: The counter's name and the address, person, client or name that it counts for.
    ///   - span: The length of a span, in seconds.
    ///   - now: The time.
    /// - Returns: The count as it is now.
    public func add(_ times: Int, to key: RateCounterKey, lasting span: TimeInterval, at now: Date) throws
        -> RateCounter
    {
        try add(times, to: key, lasting: span, leaking: nil, at: now)
    }
}

/// The number of events in a span of time that began with the first of them.
public struct RateCounter: Sendable, Equatable {
    /// The number of events in this span.
    public let times: Int
    /// The end of the span; counting then starts at zero.
    public let ends: Date
    /// The time of complete leakage, whatever the span: the events leak one after the other, each in its time. `nil`
    /// for a count that does not leak.
    public let drained: Date?
    /// The time of the last count, the base of ``drained``; `nil` for a count that does not leak.
    public let counted: Date?

    /// Creates a count.
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

    /// The number of events in the span that lasts at `now`; 0 when it is over, or was begun before the clock was set
    /// back.
    package func times(lasting span: TimeInterval, at now: Date) -> Int {
        Self.isCurrent(until: ends, lasting: span, at: now) ? times : 0
    }

    /// The time of complete leakage; `nil` when nothing was counted, or all of it before the clock was set back.
    package func drained(at now: Date, lasting span: TimeInterval) -> Date? {
        guard let drained else { return nil }
        // Counts of older servers have no time.
        let ahead = counted.map { $0.timeIntervalSince(now) } ?? (drained > now + span ? .infinity : 0)
        guard ahead <= Date.clockTolerance else { return nil }
        // The clock of another node may be ahead by as much.
        return min(drained - max(ahead, 0), now + span)
    }
}

/// The key of a counter: a digest, so that the store holds no names that strangers tried.
public struct RateCounterKey: Sendable, Hashable {
    // Two numbers, since an array would be an allocation for each count of each request.
    private let high: UInt64
    private let low: UInt64

    /// Creates the key of the counter of `name` for `whom`.
    ///
    /// - Parameters:
    ///   - name: The name of the counter.
    ///   - whom: The counted address, person, client or name.
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
