public import FoundationEssentialsCompat

/// The audit: appends its entries, verifies them, and removes the oldest.
public struct Audit {
    private let repositories: any Repositories

    /// Gives access to the audit of a store.
    ///
    /// - Parameter repositories: The repositories of one look-up or change.
    public init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Appends an audit entry, in the same change as the event that it describes.
    package func record(_ facts: AuditEntry.Facts) throws {
        try repositories.audit.append(AuditEntry(facts, after: try repositories.audit.head()))
    }

    /// Appends an entry about a request, unless there is one with the same act, person and detail, so that repetitions
    /// leave no further entries.
    func recordOnce(_ facts: AuditEntry.Facts) throws {
        guard try !isRecorded(facts) else { return }
        try record(facts)
    }

    /// Whether there is an entry about the same request with the same act, person and detail.
    func isRecorded(_ facts: AuditEntry.Facts) throws -> Bool {
        guard let request = facts.request else { return false }
        return try repositories.audit.entries(about: request, limit: Self.mostAboutRequest).contains { entry in
            entry.facts.act == facts.act && entry.facts.subject == facts.subject && entry.facts.detail == facts.detail
        }
    }

    /// The maximum number of entries about one request that are read.
    static let mostAboutRequest = 1_000

    /// The result of a part of a verification.
    enum VerifiedPart: Sendable, Equatable {
        /// It goes on after this entry; with the end of the audit.
        case until(AuditPosition, of: AuditPosition)
        /// It reached the end.
        case complete(AuditPosition)
    }

    /// Verifies the whole audit; returns its end.
    ///
    /// - Throws: ``AuditError`` when it was tampered with; ``StoreUnavailableError`` when the database cannot be read.
    public func verify() throws -> AuditPosition {
        switch try verify(after: nil, limit: .max) {
        case .until(let place, of: _), .complete(let place): place
        }
    }

    /// Verifies a part of the audit.
    ///
    /// - Parameters:
    ///   - earlier: The entry after which it begins, which was verified before; `nil` for the first one.
    ///   - limit: The maximum number of entries.
    /// - Throws: As ``verify()``, also for an entry that has changed since it was verified.
    func verify(after earlier: AuditPosition?, limit: Int) throws -> VerifiedPart {
        let (anchor, head) = (try repositories.audit.anchor(), try repositories.audit.head())
        // Entries up to the anchor were swept, so none may be left.
        if let stray = try repositories.audit.entries(after: .min, limit: 1).first, stray.number <= anchor.number {
            throw AuditError.outOfOrder(stray.number)
        }
        var (chain, left) = (AuditChain(from: anchor), limit)
        if let earlier, earlier.number > anchor.number {
            let found = try repositories.audit.entries(after: earlier.number - 1, limit: 1).first
            guard let found, found.number == earlier.number else { throw AuditError.missing(earlier.number) }
            guard found.place == earlier else { throw AuditError.changed(earlier.number) }
            chain = AuditChain(from: earlier)
        }
        while left > 0,
            case let entries = try repositories.audit.entries(after: chain.place.number, limit: min(left, 1_000)),
            !entries.isEmpty
        {
            for entry in entries { try chain.follow(entry) }
            left -= entries.count
        }
        if left == 0, chain.place.number < head.number { return .until(chain.place, of: head) }
        try chain.end(at: head)
        return .complete(chain.place)
    }

    /// Reads the beginning and the end of the audit.
    ///
    /// - Parameter now: The current time. Entries with later dates were made while the clock was ahead; the first other
    ///   entry has the age of the beginning.
    /// - Returns: Both of one state.
    /// - Throws: ``StoreUnavailableError`` when the database cannot be read.
    public func extent(at now: Date) throws -> AuditExtent {
        let first = try repositories.audit.anchor().number + 1
        var last = first - 1
        while case let page = try repositories.audit.entries(after: last, limit: 100), let end = page.last {
            if let entry = page.first(where: { $0.facts.at <= now }) {
                return AuditExtent(first: first, oldest: entry.facts.at, head: try repositories.audit.head())
            }
            last = end.number
        }
        return AuditExtent(first: first, oldest: now, head: try repositories.audit.head())
    }

    /// Removes the oldest entries of the audit that were made before `instant`, at most `limit`; returns how many.
    ///
    /// An entry with a date after `now` was made while the clock was ahead, and is removed with the next entry that is
    /// old enough. The search ends after ten pages of `limit` entries, because all dates are later while the clock is
    /// behind.
    package func sweep(before instant: Date, at now: Date, limit: Int) throws -> Int {
        var (seen, due, last) = (0, 0, 0)
        looking: while due < limit, seen < 10 * limit,
            case let page = try repositories.audit.entries(after: last, limit: limit),
            !page.isEmpty
        {
            for entry in page {
                guard entry.facts.at < instant || entry.facts.at > now else { break looking }
                seen += 1
                if entry.facts.at < instant { due = seen }
            }
            last = page[page.count - 1].number
        }
        // The number is decided here, so the store need not check the dates.
        return due == 0 ? 0 : try repositories.audit.sweep(before: .distantFuture, limit: min(due, limit))
    }
}
