internal import Countersign
internal import CountersignServer
internal import Foundation

/// Stores people of a file, some hundred in each change. What a change stored is there when a later one fails, and an
/// import that is repeated goes on behind it.
struct PeopleImport: Sendable {
    /// Whether people who are there are changed.
    let updates: Bool
    /// Whether the operator vouches for the e-mail addresses of which the file says nothing, in each format.
    let vouchesForEmails: Bool
    /// Whether nothing is stored.
    let isDry: Bool
    let hasher: PasswordHasher
    /// Notifies people of other e-mail addresses.
    let notices: AccountNotices
    let time: TimeSource
    let mint: CodeMint

    /// The number of people of one change.
    static let batch = 500

    /// The result of one line.
    enum Outcome: Sendable, Equatable {
        case added, changed, unchanged
        case refused(ImportLineError)
    }

    /// Stores all records.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - store: The store.
    ///   - progress: Called after each change with the number of lines so far.
    /// - Throws: Errors of the store; what was stored before stays.
    func run(
        _ file: ImportFile, in store: any Store, progress: (Int) -> Void = { _ in }
    ) async throws -> ImportReport {
        let records = file.records
        let vouches = vouchesForEmails || file.format.vouchesForEmails
        var report = ImportReport(on: file, isDry: isDry)
        var seen = SeenNames(unit: file.format.unit.rawValue)
        var given = GivenAddresses()
        for start in stride(from: 0, to: records.count, by: Self.batch) {
            var people: [(line: Int, person: ImportedPerson)] = []
            for record in records[start..<min(start + Self.batch, records.count)] {
                do {
                    let person = try ImportedPerson(
                        record.fields.get(), with: record.extras, vouching: vouches)
                    try seen.add(person, line: record.line)
                    people.append((record.line, person))
                } catch {
                    report.add(.refused(error), line: record.line)
                }
            }
            let outcomes: [Outcome]
            (outcomes, given) = try await apply(people.map(\.person), after: given, in: store)
            for (outcome, (line, person)) in zip(outcomes, people) {
                report.add(outcome, line: line)
                guard outcome == .added || outcome == .changed else { continue }
                report.note(person, line: line, isNew: outcome == .added)
            }
            progress(min(start + Self.batch, records.count))
        }
        report.refused.sort { $0.line < $1.line }
        return report
    }

    private func apply(
        _ people: [ImportedPerson], after given: GivenAddresses, in store: any Store
    ) async throws -> ([Outcome], GivenAddresses) {
        let people = try await hashed(people, in: store)
        let body: @Sendable (any Repositories) throws -> ([Outcome], GivenAddresses) = { repositories in
            var given = given
            let outcomes = try people.map { try apply($0, after: &given, in: repositories) }
            return (outcomes, given)
        }
        return isDry ? try await store.read(body) : try await store.change(body)
    }

    /// Hashes the passwords of people who are not there yet.
    private func hashed(_ people: [ImportedPerson], in store: any Store) async throws -> [ImportedPerson] {
        let hasPassword = people.map { if case .password = $0.secret { true } else { false } }
        guard !isDry, hasPassword.contains(true) else { return people }
        let isThere = try await store.read { repositories in
            try zip(people, hasPassword).map { try $1 && repositories.people.find($0.username)?.password != nil }
        }
        var people = people
        for (place, isThere) in isThere.enumerated() where !isThere {
            guard case .password(let password) = people[place].secret else { continue }
            people[place].secret = .hash(try await hasher.hash(password))
        }
        return people
    }

    private func apply(
        _ imported: ImportedPerson, after given: inout GivenAddresses, in repositories: any Repositories
    ) throws -> Outcome {
        if let person = try repositories.people.find(imported.username) {
            return try update(person, to: imported, after: &given, in: repositories)
        }
        if let subject = imported.subject, try repositories.people.find(subject) != nil {
            return .refused(ImportLineError("subject is another person's."))
        }
        let membership = ImportedMembership(of: imported.extras.groups, in: repositories)
        guard try membership.fits() else { return .refused(ImportedMembership.tooMany) }
        let now = time.now()
        let hash: PasswordHash? = if case .hash(let hash) = imported.secret { hash } else { nil }
        let person = Person(
            subject: imported.subject ?? mint.identifier(), username: imported.username,
            name: imported.name ?? imported.username.rawValue, email: imported.email,
            isEmailVerified: imported.isEmailVerified, profile: imported.extras.profile, password: hash,
            standing: imported.standing ?? .active,
            role: imported.isAdministrator == true ? .operator : .user, created: now)
        if let refusal = try given.refusal(of: person, in: repositories) { return .refused(refusal) }
        guard !isDry else { return .added }
        try People(repositories).add(person, as: .operator, because: "imported")
        try membership.begin(try membership.missing(of: person.subject), for: person.subject, at: now)
        return .added
    }

    /// Changes a person who is there. A password that they used or chose here stays.
    private func update(
        _ person: Person, to imported: ImportedPerson, after given: inout GivenAddresses,
        in repositories: any Repositories
    ) throws -> Outcome {
        guard imported.subject == nil || imported.subject == person.subject else {
            return .refused(ImportLineError("\(person.username) is there with another subject."))
        }
        guard imported.standing == nil || imported.standing == person.standing else {
            let standing = person.standing.rawValue
            return .refused(ImportLineError("\(person.username) is \(standing): 'admin user' locks and unlocks."))
        }
        guard imported.isAdministrator == nil || imported.isAdministrator == person.isAdministrator else {
            return .refused(ImportLineError("\(person.username) has other rights: see 'admin user administrator'."))
        }
        var changed = person
        if let name = imported.name { changed.name = name }
        // An address that the person verified here stays verified.
        if let email = imported.email {
            changed.changeEmail(to: email, isVerified: imported.isEmailVerified ? true : nil)
        }
        changed.profile.take(imported.extras)
        guard changed.profile.attributes.count <= PersonProfile.mostAttributes else {
            return .refused(ImportLineError("A person has at most \(PersonProfile.mostAttributes) attributes."))
        }
        let membership = ImportedMembership(of: imported.extras.groups, in: repositories)
        let missing = try membership.missing(of: person.subject)
        let changesFacts =
            changed.name != person.name || changed.email != person.email
            || changed.isEmailVerified != person.isEmailVerified || changed.profile != person.profile
        if changesFacts { changed.profile.updated = time.now() }
        if case .hash(let hash) = imported.secret, person.password?.isReplaceable ?? true { changed.password = hash }
        guard changed != person || !missing.isEmpty else { return .unchanged }
        guard updates else {
            let reason = "\(person.username) is there with other data. With --update it is changed."
            return .refused(ImportLineError(reason))
        }
        guard try membership.fits() else { return .refused(ImportedMembership.tooMany) }
        if let refusal = try given.refusal(of: changed, after: person, in: repositories) { return .refused(refusal) }
        guard !isDry else { return .changed }
        try notices.tellOfAddress(of: changed, after: person, at: time.now(), in: repositories)
        try People(repositories).update(changed, from: person)
        let acts: [AuditAct] =
            (changesFacts ? [.personChanged] : []) + (changed.password != person.password ? [.passwordChanged] : [])
        for act in acts {
            try Audit(repositories).record(.operator(time.now(), act, subject: person.subject, detail: "imported"))
        }
        try membership.begin(missing, for: person.subject, at: time.now())
        return .changed
    }
}

extension PasswordHash {
    /// Whether the hash is of another system, so that the person has not signed in by it.
    fileprivate var isReplaceable: Bool {
        if case .scrypt(let hash)? = kind { return !hash.isOwn }
        return true
    }
}

/// The verified addresses that the lines before gave to people, which a dry run does not store.
private struct GivenAddresses: Sendable {
    /// The people, by their folded addresses.
    private var holders: [String: Username] = [:]

    /// The refusal of an e-mail address that another person has, or got by an earlier line; `nil` for none.
    mutating func refusal(
        of person: Person, after earlier: Person? = nil, in repositories: any Repositories
    ) throws -> ImportLineError? {
        guard let address = person.newEmail(since: earlier) else { return nil }
        if let holder = holders[address.folded] {
            return ImportLineError("\(People.AddressTakenError(address: address, holder: holder))")
        }
        do {
            try People(repositories).requireFreeAddress(of: person, after: earlier)
        } catch let taken as People.AddressTakenError {
            return ImportLineError("\(taken)")
        }
        if person.isEmailVerified { holders[address.folded] = person.username }
        return nil
    }
}

/// The names and subjects of the lines before, each of which is one person.
private struct SeenNames {
    /// The unit that is counted, as in a sentence.
    let unit: String
    private var usernames: [Username: Int] = [:]
    private var subjects: [Subject: Int] = [:]

    init(unit: String) { self.unit = unit }

    mutating func add(_ person: ImportedPerson, line: Int) throws(ImportLineError) {
        if let first = usernames[person.username] {
            throw ImportLineError("\(person.username) is in \(unit) \(first) already.")
        }
        if let subject = person.subject {
            if let first = subjects[subject] { throw ImportLineError("Its subject is in \(unit) \(first) already.") }
            subjects[subject] = line
        }
        usernames[person.username] = line
    }
}
