internal import Countersign

/// How much of what arrives on a link is read, so that a flood of packets neither takes the processor nor hides what
/// others send.
///
/// A sender may send 200 packets of the usual size a second; all together 2,000, of which half are for senders that
/// have sent few in that second. A larger packet counts as several, and so do many questions.
package struct SenderRateLimiter: Sendable {
    /// What a sender has sent in a second.
    private struct Usage: Sendable {
        /// When that second began.
        let since: ContinuousClock.Instant
        /// How many packets that were read.
        var packets = 0
    }

    /// Packets that may be read: some are added as time passes.
    private struct Allowance: Sendable {
        /// How many there are now.
        private var packets = Double(SenderRateLimiter.allowance)
        /// When some were added last.
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

    /// What senders have sent lately, by their addresses.
    private var usages = SecondChanceCache<[UInt8], Usage>(capacity: 2048)
    /// What all senders share.
    private var shared: Allowance
    /// What senders share that have sent few packets.
    private var reserved: Allowance

    /// A limiter that has admitted nothing.
    ///
    /// - Parameter now: The instant at which it begins.
    package init(at now: ContinuousClock.Instant) {
        shared = Allowance(at: now)
        reserved = Allowance(at: now)
    }

    /// Whether a packet is to be read.
    ///
    /// - Parameters:
    ///   - size: Its length in bytes.
    ///   - questions: How many questions its header announces.
    ///   - sender: The address of its sender, 4 or 16 bytes.
    ///   - isBusy: Whether many packets wait that were admitted already: then only senders that have sent few are read.
    ///   - now: The instant at which it arrived.
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

    /// How many packets of one sender are read in a second.
    private static let mostOfSender = 200
    /// How many packets of one sender are read in a second from what is kept for those that send few.
    private static let mostOfNewcomer = 8
    /// How many packets of all senders are read in a second: as many from what they share, and from what is kept.
    private static let allowance = 1000
    /// So many questions count as a packet more.
    private static let questionsOfPacket = 32
}
