import Countersign
import CountersignServer
import FoundationEssentialsCompat

/// People who are never locked.
struct ForgivingPeople: PersonRepository {
    let base: any PersonRepository

    private func forgiven(_ found: Person?) -> Person? {
        var person = found
        person?.standing = .active
        return person
    }

    func insert(_ person: Person) throws { try base.insert(person) }
    func find(_ username: Username) throws -> Person? { forgiven(try base.find(username)) }
    func all(at address: EmailAddress) throws -> [Person] { try base.all(at: address) }
    func find(_ subject: Subject) throws -> Person? { forgiven(try base.find(subject)) }
    func update(_ person: Person) throws { try base.update(person) }
    func page(
        by field: PersonSearchField, beginningWith prefix: String, after last: Person?, limit: Int
    ) throws -> [Person] {
        try base.page(by: field, beginningWith: prefix, after: last, limit: limit)
    }
    func all() throws -> [Person] { try base.all() }
    func leaving(by instant: Date, limit: Int) throws -> [Subject] { try base.leaving(by: instant, limit: limit) }
    func remove(_ subject: Subject) throws -> Bool { try base.remove(subject) }
}

/// Sign-ins that are stored otherwise than they were.
struct ConfusedSignIns: SignInRecordRepository {
    let base: any SignInRecordRepository
    let changed: (SignInRecord) -> SignInRecord

    func insert(_ record: SignInRecord) throws { try base.insert(changed(record)) }

    func find(_ grant: Grant.ID) throws -> SignInRecord? { try base.find(grant) }
    func all(of subject: Subject) throws -> [SignInRecord] { try base.all(of: subject) }
    func all(of subject: Subject, after last: Grant.ID) throws -> [SignInRecord] {
        try base.all(of: subject, after: last)
    }
    func all(of subject: Subject, at client: ClientID) throws -> [SignInRecord] {
        try base.all(of: subject, at: client)
    }
    func update(_ record: SignInRecord) throws { try base.update(record) }
    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] { try base.all(of: client, limit: limit) }
    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord? { try base.find(client, domain) }
    func all(of domain: Domain, limit: Int) throws -> [SignInRecord] { try base.all(of: domain, limit: limit) }
    func all(of session: ApproverID) throws -> [SignInRecord] { try base.all(of: session) }
    func all(of session: ApproverID, after last: Grant.ID) throws -> [SignInRecord] {
        try base.all(of: session, after: last)
    }
    func all(endingWith approver: ApproverID) throws -> [SignInRecord] { try base.all(endingWith: approver) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

/// Answers that are never found again.
struct ForgottenAnswers: RepeatableAnswerRepository {
    let base: any RepeatableAnswerRepository

    func keep(_ answer: RepeatableAnswer) throws { try base.keep(answer) }
    func find(_ grant: Grant.ID) throws -> RepeatableAnswer? { nil }
    func remove(_ grant: Grant.ID) throws { try base.remove(grant) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

/// Counts that begin anew each time.
struct ForgottenCounts: RateCounterRepository {
    let base: any RateCounterRepository

    func find(_ key: RateCounterKey) throws -> RateCounter? { nil }

    func add(
        _ times: Int, to key: RateCounterKey, lasting span: TimeInterval, leaking pause: TimeInterval?, at now: Date
    ) throws -> RateCounter {
        RateCounter(times: max(0, times), ends: now + span)
    }

    func remove(_ key: RateCounterKey) throws -> Bool { try base.remove(key) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

/// An audit whose approvals became denials after they were recorded.
struct RewrittenAudit: AuditRepository {
    let base: any AuditRepository

    func append(_ entry: AuditEntry) throws {
        guard entry.facts.act == .approved else { return try base.append(entry) }
        let facts = AuditEntry.Facts(
            at: entry.facts.at, .denied, by: entry.facts.by, subject: entry.facts.subject, client: entry.facts.client,
            request: entry.facts.request, address: entry.facts.address, detail: entry.facts.detail)
        try base.append(AuditEntry(restoring: entry.number, facts, previous: entry.previous, hash: entry.hash))
    }

    func head() throws -> AuditPosition { try base.head() }
    func anchor() throws -> AuditPosition { try base.anchor() }
    func entries(after number: Int, limit: Int) throws -> [AuditEntry] {
        try base.entries(after: number, limit: limit)
    }
    func entries(before number: Int, limit: Int) throws -> [AuditEntry] {
        try base.entries(before: number, limit: limit)
    }
    func entries(about request: SignInRequest.ID, limit: Int) throws -> [AuditEntry] {
        try base.entries(about: request, limit: limit)
    }
    func entries(aboutRequestsOf subject: Subject, limit: Int) throws -> [AuditEntry] {
        try base.entries(aboutRequestsOf: subject, limit: limit)
    }
    func entries(about subject: Subject, before number: Int, limit: Int) throws -> [AuditEntry] {
        try base.entries(about: subject, before: number, limit: limit)
    }
    func requests(beginningWith prefix: String, limit: Int) throws -> [SignInRequest.ID] {
        try base.requests(beginningWith: prefix, limit: limit)
    }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

extension SignInRecord {
    /// The same of another person than the one who approved.
    var ofAnotherPerson: SignInRecord {
        let other = Subject(grant.subject.rawValue == "subject-of-anna" ? "subject-of-bert" : "subject-of-anna")
        return with(
            Grant(
                id: grant.id, subject: other, client: grant.client, scope: grant.scope, evidence: grant.evidence,
                approved: grant.approved))
    }

    /// The same without an end.
    var endless: SignInRecord {
        var grant = grant
        grant.ends = nil
        return with(grant)
    }

    private func with(_ grant: Grant) -> SignInRecord {
        SignInRecord(
            grant: grant, request: request, signedIn: signedIn, lastUsed: lastUsed, ends: ends, session: session,
            isFromTicket: isFromTicket)
    }
}
