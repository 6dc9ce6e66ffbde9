internal import Countersign
internal import CountersignServer
internal import CountersignStorage
internal import CountersignTesting
internal import FoundationEssentialsCompat

extension Home {
    /// The time until every requester tries again after a failure, and until every code has expired.
    private static let longestPause = Duration.seconds(61)
    private static let betweenPolls = Duration.seconds(16)
    private static let longestCode = Duration.seconds(310)

    /// Plays a schedule: each event after the one before it, then a network that works until every screen has ended.
    ///
    /// ```swift
    /// let report = try await home.run(HomeSchedule(seed: 7))
    /// if let fault = report.fault { Issue.record("\(fault)") }
    /// ```
    ///
    /// - Parameter schedule: The events. An act that has nothing to act on does nothing.
    /// - Returns: The trace, and the first promise that was broken.
    /// - Throws: ``UnknownActError``, and `CancellationError` when the task is cancelled.
    public func run(_ schedule: HomeSchedule) async throws -> HomeReport {
        let acts = Dictionary(uniqueKeysWithValues: Self.acts.map { ($0.name, $0) })
        do {
            for (number, event) in schedule.events.enumerated() {
                guard let act = acts[event.act] else { throw UnknownActError(name: event.act) }
                clock.advance(by: .seconds(event.wait))
                trace.append("\(number + 1) \(event)")
                try await deliverLate()
                network.fate = event.fate
                let choice = HomeChoice(event.choice)
                thread = choice.thread
                note(try await act.perform(self, choice) ?? "nothing to do")
                try await check()
            }
            try await finish()
            return HomeReport(trace: trace, fault: nil)
        } catch let fault as HomeFault {
            note("FAULT \(fault)")
            return HomeReport(trace: trace, fault: fault)
        }
    }

    /// Heals the network, and checks that every screen ends as the server does.
    private func finish() async throws {
        trace.append("end")
        network.heal()
        clock.advance(by: Self.longestPause)
        try await deliverLate()
        let open = signIns.filter(\.isWaiting)
        for signIn in open { try await goOn(signIn) }
        for signIn in open where signIn.isWaiting { try await checkWaiting(signIn) }
        clock.advance(by: Self.longestCode)
        for _ in 0..<2 {
            for signIn in open { try await goOn(signIn) }
            clock.advance(by: Self.longestPause)
        }
        for signIn in open where signIn.isWaiting {
            // An app whose browser never came back gives up by itself.
            if case .browsing = signIn.requester { continue }
            throw HomeFault(.ends, "\(signIn.label) waits although the network works and its code is over")
        }
        for signIn in signIns { try await TokenActs.introspect(signIn, in: self) }
        try await check()
        try await checkAudit()
    }

    /// A screen that still waits has a request that nobody decided, or that another screen was approved for; or it
    /// polled too often, and gets its answer at one of the next polls.
    private func checkWaiting(_ signIn: RunningSignIn) async throws {
        guard let exchange = try await exchange(of: signIn) else { return }
        switch exchange.state {
        case .open, .taken: return
        case .approved(_, by: _, over: let link?) where !signIn.links.ids.contains(link): return
        case .approved, .denied, .redeemed, .cancelled:
            for _ in 0..<2 where signIn.isWaiting {
                clock.advance(by: Self.betweenPolls)
                try await goOn(signIn)
            }
            guard signIn.isWaiting else { return }
            throw HomeFault(.ends, "\(signIn.label) waits, and the server has \(HomeLedger.Decision(exchange))")
        }
    }

    /// Verifies the audit, and that it names one decision and one redemption for each request.
    private func checkAudit() async throws {
        let entries: [AuditEntry]
        do {
            entries = try await store.read { repositories in
                _ = try Audit(repositories).verify()
                return try repositories.audit.entries(after: 0, limit: 10_000)
            }
        } catch let error as AuditError {
            throw HomeFault(.audit, "\(error)")
        }
        let decisions: Set = [AuditAct.approved, .denied, .reported]
        var decided: Set<SignInRequest.ID> = []
        var redeemed: Set<SignInRequest.ID> = []
        for facts in entries.map(\.facts) {
            guard let id = facts.request else { continue }
            if decisions.contains(facts.act), !decided.insert(id).inserted {
                throw HomeFault(.oneDecision, "the audit has two decisions of one request")
            }
            if facts.act == .signedIn, !redeemed.insert(id).inserted {
                throw HomeFault(.oneFamily, "the audit has two redemptions of one request")
            }
        }
    }
}

/// A schedule names an act that no home has.
public struct UnknownActError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the act.
    public let name: String

    /// A sentence for the log.
    public var description: String { "No home knows the act \(name)." }
}
