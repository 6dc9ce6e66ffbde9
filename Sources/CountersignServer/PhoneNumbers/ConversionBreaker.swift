internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Closes a calling code for an hour when too few of the codes that are sent there are ever typed, which suggests SMS
/// pumping.
///
/// Codes are counted by the ten minutes in which they were sent, and judged once those are over, so that codes that
/// were sent a moment ago do not count as never typed. Of one network only a few that are never typed count: otherwise
/// a stranger alone could close a calling code for everybody.
struct ConversionBreaker: Sendable {
    /// The span by which codes are counted, in seconds.
    static let span = 600
    /// How many spans are judged together.
    static let spans = 6
    /// How many codes must have been sent before they are judged.
    static let leastSent = 30
    /// How many codes that are never typed count of one network.
    static let mostUntyped = 5
    /// One in so many codes must be typed.
    static let oneIn = 5
    /// How long a calling code stays closed, in seconds.
    static let closedFor: TimeInterval = 3600

    enum Verdict: Sendable, Equatable {
        case open
        /// It is closed already, until then.
        case closed(until: Date)
        /// It has to be closed: so many codes that count were sent, and so many typed.
        case failing(sent: Int, typed: Int)
    }

    /// Whether codes may be sent to numbers of a calling code.
    func verdict(on callingCode: String, in repositories: any Repositories, at now: Date) throws -> Verdict {
        if let closed = try repositories.counts.find(closedKey(callingCode)), closed.times > 0,
            closed.ends.lasts(at: now, atMost: Self.closedFor)
        {
            return .closed(until: closed.ends)
        }
        var untyped = 0
        var typed = 0
        let current = Self.place(of: now)
        for place in (current - Self.spans)..<current {
            untyped += try count(.phoneCodesUntyped, callingCode, place, in: repositories, at: now)
            typed += try count(.phoneCodesTyped, callingCode, place, in: repositories, at: now)
        }
        let sent = untyped + typed
        guard sent >= Self.leastSent, typed * Self.oneIn < sent else { return .open }
        return .failing(sent: sent, typed: typed)
    }

    /// Closes a calling code.
    func close(_ callingCode: String, in repositories: any Repositories, at now: Date) throws {
        _ = try repositories.counts.add(1, to: closedKey(callingCode), lasting: Self.closedFor, at: now)
    }

    /// Notes that a code is sent, at the request of a network address; `nil` for one that the server cannot see, which
    /// then counts for itself.
    func noteSent(
        to callingCode: String,
        from address: String?,
        in repositories: any Repositories,
        at now: Date
    ) throws {
        let place = Self.place(of: now)
        if let network = network(of: address, to: callingCode) {
            // No verdict looks at more spans than these.
            let untyped = try ((place - Self.spans)...place).reduce(0) { sum, place in
                try sum + count(.phoneCodesUntypedOfNetwork, network, place, in: repositories, at: now)
            }
            guard untyped < Self.mostUntyped else { return }
            try note(1, .phoneCodesUntypedOfNetwork, network, place, in: repositories, at: now)
        }
        try note(1, .phoneCodesUntyped, callingCode, place, in: repositories, at: now)
    }

    /// Notes that the code that was sent at `sent` was typed, at a network address.
    func noteTyped(
        _ callingCode: String,
        sent: Date,
        from address: String?,
        in repositories: any Repositories,
        at now: Date
    ) throws {
        let place = Self.place(of: sent)
        try note(1, .phoneCodesTyped, callingCode, place, in: repositories, at: now)
        if let network = network(of: address, to: callingCode) {
            // It did not count where the network had too many already, or the code was sent from another one.
            guard try count(.phoneCodesUntypedOfNetwork, network, place, in: repositories, at: now) > 0 else { return }
            try note(-1, .phoneCodesUntypedOfNetwork, network, place, in: repositories, at: now)
        }
        try note(-1, .phoneCodesUntyped, callingCode, place, in: repositories, at: now)
    }

    /// What the codes are counted under that a network sends to a calling code.
    private func network(of address: String?, to callingCode: String) -> String? {
        address.map { "\(callingCode) \(CountedAddress.holding($0))" }
    }

    private static func place(of instant: Date) -> Int {
        Int(instant.timeIntervalSince1970 / Double(span))
    }

    private func key(_ name: LimitName, _ whom: String, _ place: Int) -> RateCounterKey {
        RateCounterKey(name, of: "\(whom) \(place)")
    }

    private func closedKey(_ callingCode: String) -> RateCounterKey {
        RateCounterKey(.phonePrefixClosed, of: callingCode)
    }

    private func count(
        _ name: LimitName,
        _ whom: String,
        _ place: Int,
        in repositories: any Repositories,
        at now: Date
    ) throws -> Int {
        guard let count = try repositories.counts.find(key(name, whom, place)), count.ends > now else {
            return 0
        }
        return count.times
    }

    private func note(
        _ times: Int,
        _ name: LimitName,
        _ whom: String,
        _ place: Int,
        in repositories: any Repositories,
        at now: Date
    ) throws {
        let lifetime = Double(Self.span * (Self.spans + 2))
        _ = try repositories.counts.add(times, to: key(name, whom, place), lasting: lifetime, at: now)
    }
}
