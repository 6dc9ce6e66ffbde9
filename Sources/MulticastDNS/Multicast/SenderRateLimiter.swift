/// Limits the packets that are read from a link, so that a flood neither takes the processor nor hides what others
/// send.
///
/// A sender may send 200 packets of the usual size a second; all together 2,000, half of them reserved for senders that
/// have sent few in that second. A larger packet counts as several, and so do many questions.
package struct SenderRateLimiter: Sendable {
    /// The usage of a sender in a second.
    private struct Usage: Sendable {
        /// The start of that second.
        let since: ContinuousClock.Instant
        var packets = 0
    }

    /// Packets that may be read: some are added as time passes.
    private struct Allowance: Sendable {
        /// The number of packets that may be read now.
        private var packets = Double(SenderRateLimiter.allowance)
        /// The instant of the last addition.
        private var since: ContinuousClock.Instant

        /// A full allowance.
        init(at now: ContinuousClock.Instant) { since = now }

        /// Takes some packets, if there are as many.
        mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
            let added = (now - since) / .seconds(1) * Double(SenderRateLimiter.allowance)
            packets = min(packets + max(0, added), Double(SenderRateLimiter.allowance))
            since = now
            guard packets >= Double(count) else { return false }
            packets -= Double(count)
            return true
        }
    }

    /// The recent usage of senders, by their addresses.
    private var usages = SecondChanceCache<[UInt8], Usage>(capacity: 2048)
    private var shared: Allowance
    /// The allowance that senders share that have sent few packets.
    private var reserved: Allowance

    /// A limiter that has admitted nothing.
    package init(at now: ContinuousClock.Instant) {
        shared = Allowance(at: now)
        reserved = Allowance(at: now)
    }

    /// Whether a packet is to be read.
    ///
    /// - Parameters:
    ///   - sender: The address of its sender, 4 or 16 bytes.
    ///   - isBusy: Whether many packets wait that were admitted already: then only senders that have sent few are read.
    package mutating func admits(
        _ size: Int,
        questions: Int,
        from sender: [UInt8],
        isBusy: Bool,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let packets = 1 + size / (Message.usualPacket + 1) + questions / Self.questionsOfPacket
        var usage = usages.use(sender) ?? Usage(since: now)
        if usage.since + .seconds(1) <= now { usage = Usage(since: now) }
        guard usage.packets + packets <= Self.mostOfSender else { return false }
        let isNewcomer = usage.packets + packets <= Self.mostOfNewcomer
        guard !isBusy && shared.take(packets, at: now) || isNewcomer && reserved.take(packets, at: now) else {
            return false
        }
        usage.packets += packets
        usages.put(usage, for: sender)
        return true
    }

    /// The maximum number of packets of one sender that are read in a second.
    private static let mostOfSender = 200
    /// The maximum number of packets of one sender that are read in a second from the reserved allowance.
    private static let mostOfNewcomer = 8
    /// The maximum number of packets of all senders that are read in a second from each of the two allowances.
    private static let allowance = 1000
    /// So many questions count as a packet more.
    private static let questionsOfPacket = 32
}
