internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The requests that wait for a person.
struct RequestInbox {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The requests that a device lists, in the order of ``answerable(by:at:)``: those that it may answer.
    ///
    /// It lists only the first of the requests to approve, so that a person who is asked again and again does not
    /// approve the wrong one by one press too many. The others follow once the one before is decided or over.
    ///
    /// - Parameters:
    ///   - subject: The device's person.
    ///   - device: The device; `nil` for an app that has registered none.
    ///   - now: The current time.
    func requests(of subject: Subject, on device: EnrolledDevice?, at now: Date) throws -> [SignInExchangeRecord] {
        var hasPrompt = false
        return try answerable(by: subject, at: now).filter { stored in
            guard try EnrolledDevices(repositories).mayAnswer(stored, on: device) else { return false }
            guard stored.method.kind == .instant else { return true }
            defer { hasPrompt = true }
            return !hasPrompt
        }
    }

    /// The requests that wait for a person and can still be answered, in the order of their display. Those of a client
    /// that was removed cannot be.
    ///
    /// Clients take turns, each with its oldest request first, and those with fewer requests before those with more: one
    /// that asks often hides those of no other, also while the person denies its requests one by one. Silent requests
    /// come last.
    func answerable(by subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        let waiting = try shown(to: subject, at: now).filter { stored in
            try !stored.method.hasFailed && repositories.clients.find(stored.exchange.request.client.value) != nil
        }
        let numbers = waiting.reduce(into: [ClientID: Int]()) { $0[$1.exchange.request.client.value, default: 0] += 1 }
        var turns: [ClientID: Int] = [:]
        return
            waiting
            .enumerated()
            .map { place, stored -> (rank: (Int, Int, Int, Int), stored: SignInExchangeRecord) in
                let client = stored.exchange.request.client.value
                let turn = turns[client, default: 0]
                turns[client] = turn + 1
                return ((stored.terms.isSilent ? 1 : 0, turn, numbers[client, default: 0], place), stored)
            }
            .sorted { $0.rank < $1.rank }
            .map(\.stored)
    }

    /// The requests that wait for a person and are shown to them, the oldest first: those of clients that they muted
    /// are not.
    func shown(to subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        var known: [ClientID: Bool] = [:]
        return try repositories.exchanges.waiting(for: subject, at: now).filter { stored in
            let client = stored.exchange.request.client.value
            let isMuted = try known[client] ?? (repositories.mutes.find(subject, client) != nil)
            known[client] = isMuted
            return !isMuted
        }
    }

    /// The request over the back channel that a person is shown; `nil` when none waits.
    ///
    /// There is one at a time, the oldest first: a person who is asked again and again must not approve the wrong
    /// request by one press too many. The others are shown in turn, once the one before is decided or over.
    func backchannelRequest(for subject: Subject, at now: Date) throws -> SignInExchangeRecord? {
        try answerable(by: subject, at: now).first { $0.method.isNamedByClient && $0.method.kind == .instant }
    }
}
