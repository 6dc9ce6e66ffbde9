internal import FoundationEssentialsCompat

/// The sign-ins of screens and apps: ends them, and notifies their clients.
struct SignIns {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Ends a sign-in: revokes its tokens, removes its enrolled device, notifies its client, and audits it.
    ///
    /// - Parameters:
    ///   - record: The sign-in that ends.
    ///   - cause: The reason of the end.
    ///   - address: The network address of the party that caused it; `nil`, the default, for none.
    ///   - now: The current time.
    func end(_ record: SignInRecord, because cause: SignInEnd, from address: String? = nil, at now: Date) throws {
        if record.revoked == nil, !cause.isByClient { try announceEnd(of: record, at: now) }
        var record = record
        record.revoked = record.revoked ?? now
        try repositories.signIns.update(record)
        try repositories.accessTokens.removeAll(of: record.grant.id)
        try repositories.refreshTokens.removeAll(of: record.grant.id)
        try repositories.repeatableAnswers.remove(record.grant.id)
        let facts = AuditEntry.Facts.end(of: record, because: cause, from: address, at: now)
        if let facts { try Audit(repositories).record(facts) }
        if record.grant.ends != nil {
            try Approvals(repositories).end(with: record.approver, as: facts?.by ?? .server, at: now)
        }
        guard let device = try repositories.devices.find(record.grant.id) else { return }
        try repositories.personCodes.remove(shownBy: record.approver)
        if let facts {
            try EnrolledDevices(repositories).forget(
                device, by: facts.by, client: record.grant.client, from: address, at: now)
        } else {
            _ = try repositories.devices.remove(device.id)
        }
    }

    /// Ends all sign-ins of a query.
    ///
    /// - Parameters:
    ///   - cause: The reason of the end.
    ///   - address: The network address of the party that caused it; `nil`, the default, for none.
    ///   - now: The current time.
    ///   - query: Finds some of the sign-ins that have not ended; none at last.
    func endAll(
        because cause: SignInEnd, from address: String? = nil, at now: Date,
        _ query: (any SignInRecordRepository) throws -> [SignInRecord]
    ) throws {
        var records = try query(repositories.signIns)
        while !records.isEmpty {
            for record in records { try end(record, because: cause, from: address, at: now) }
            records = try query(repositories.signIns)
        }
    }

    /// Queues the notice of the end of a sign-in, if its client is registered for notices.
    ///
    /// It belongs to the change that ends the sign-in; ``NoticeDelivery`` calls the client later.
    func announceEnd(of record: SignInRecord, at now: Date) throws {
        let grant = record.grant
        guard let client = try repositories.clients.find(grant.client), client.redirects.backChannelLogout != nil else {
            return
        }
        let session = SessionID(of: record.session?.id, or: grant.id, at: client.id)
        try repositories.clientNotices.keep(
            ClientNotice(.sessionEnded(session), client: client.id, subject: grant.subject, occurred: now, due: now)
        )
    }
}

extension SignInRecord {
    /// The signed-in app as the approver of requests.
    var approver: ApproverIdentity { ApproverIdentity(subject: grant.subject, id: ApproverID(grant.id.rawValue)) }
}
