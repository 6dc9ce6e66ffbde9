internal import FoundationEssentialsCompat

/// The pending requests of a person.
struct RequestInbox {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The requests for the list of a device, in the order of ``answerable(by:at:)``.
    ///
    /// The list has only the first request to approve, so that repeated requests lead to no accidental approval. The
    /// others follow when the earlier ones are decided or have expired.
    ///
    /// - Parameters:
    ///   - subject: The device's person.
    ///   - device: The device; `nil` for an app without a registered device.
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

    /// The pending requests of a person that can still be answered, in the order of their display. Requests of removed
    /// clients cannot be answered.
    ///
    /// Clients take turns, each with its oldest request first, and those with fewer requests before those with more: a
    /// client with many requests hides no other client. Requests that the person started by their code come first,
    /// since they wait for them; silent requests come last.
    func answerable(by subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        let waiting = try shown(to: subject, at: now).filter { stored in
            guard !stored.method.hasFailed else { return false }
            return try ClientRegistrations(repositories).requester(stored.exchange.request.client.value) != nil
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
                let attention = stored.terms.isStartedByCode ? 0 : stored.terms.isSilent ? 2 : 1
                return ((attention, turn, numbers[client, default: 0], place), stored)
            }
            .sorted { $0.rank < $1.rank }
            .map(\.stored)
    }

    /// The pending requests of a person, the oldest first; those of muted clients only if the person started them by
    /// their code.
    func shown(to subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        var known: [ClientID: Bool] = [:]
        return try repositories.exchanges.waiting(for: subject, at: now).filter { stored in
            guard !stored.terms.isStartedByCode else { return true }
            let client = stored.exchange.request.client.value
            let isMuted = try known[client] ?? (repositories.mutes.find(subject, client) != nil)
            known[client] = isMuted
            return !isMuted
        }
    }

    /// The request for the account page, over the back channel or of a screen that remembers the person; `nil` for none.
    ///
    /// There is one at a time, the oldest first, so that repeated requests lead to no accidental approval.
    func backchannelRequest(for subject: Subject, at now: Date) throws -> SignInExchangeRecord? {
        try answerable(by: subject, at: now).first { Self.isOnAccountPage($0, of: subject) }
    }

    /// Whether a request is shown on the account page of its person, once it is its turn.
    static func isOnAccountPage(_ stored: SignInExchangeRecord, of subject: Subject) -> Bool {
        let isPutToThem = stored.method.isNamedByClient || stored.exchange.request.rememberedPerson == subject
        return isPutToThem && stored.method.kind == .instant
    }
}
