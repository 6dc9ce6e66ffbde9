/// The report of an import.
struct ImportReport: Sendable, Equatable {
    struct Refusal: Sendable, Equatable {
        let line: Int
        let reason: String
    }

    /// A fact about a person who is there now that was not taken.
    struct Note: Sendable, Equatable {
        let line: Int
        let sentence: String
    }

    let isDry: Bool
    /// The unit that the numbers count.
    let unit: ImportUnit
    /// The number of entries that are no people.
    let skipped: Int
    private(set) var added = 0
    private(set) var changed = 0
    private(set) var unchanged = 0
    /// The number of addresses that were not verified.
    private(set) var unverifiedEmails = 0
    /// The number of added people without a password.
    private(set) var withoutPassword = 0
    var refused: [Refusal] = []
    private(set) var notes: [Note] = []

    init(on file: ImportFile, isDry: Bool) {
        self.isDry = isDry
        unit = file.format.unit
        skipped = file.skipped
    }

    /// Adds what the report says of a person who was added or changed.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - line: The number of their line or entry.
    ///   - isNew: Whether they were added.
    mutating func note(_ person: ImportedPerson, line: Int, isNew: Bool) {
        if isNew, person.secret == .none { withoutPassword += 1 }
        if person.email != nil, !person.isEmailVerified { unverifiedEmails += 1 }
        notes += person.extras.notes.map { Note(line: line, sentence: $0) }
    }

    mutating func add(_ outcome: PeopleImport.Outcome, line: Int) {
        switch outcome {
        case .added: added += 1
        case .changed: changed += 1
        case .unchanged: unchanged += 1
        case .refused(let error): refused.append(Refusal(line: line, reason: error.reason))
        }
    }

    var output: CommandOutput {
        CommandOutput(
            members, words,
            endingBy: refused.isEmpty
                ? nil
                : CommandError(
                    "\(counted(refused.count, unit.rawValue, unit.plural)) refused, of which nothing is stored."))
    }

    private var members: OutputMembers {
        [
            "dry_run": isDry, "added": added, "changed": changed, "unchanged": unchanged,
            "unverified_emails": unverifiedEmails, "without_password": withoutPassword,
            "skipped": skipped == 0 ? nil : skipped,
            "refused": refused.map { [unit.rawValue: $0.line, "reason": $0.reason] as OutputMembers },
            "notes": notes.isEmpty
                ? nil : notes.map { [unit.rawValue: $0.line, "note": $0.sentence] as OutputMembers },
        ]
    }

    private var words: String {
        var lines = refused.map { "\(unit.capitalized) \($0.line): \($0.reason)" }
        lines += notes.map { "\(unit.capitalized) \($0.line): \($0.sentence)" }
        let added = isDry ? "to be added" : "added"
        let changed = isDry ? "to be changed" : "changed"
        lines.append("People: \(self.added) \(added), \(self.changed) \(changed), \(unchanged) unchanged.")
        if unverifiedEmails > 0 {
            let addresses = counted(unverifiedEmails, "e-mail address", "e-mail addresses")
            lines.append("Not verified, so that nobody signs in by them: \(addresses).")
        }
        if withoutPassword > 0 {
            let people = counted(withoutPassword, "person", "people")
            lines.append("No password, so that each needs a link (admin user reset NAME --link): \(people).")
        }
        if skipped > 0 { lines.append("No people: \(counted(skipped, "entry", "entries")).") }
        if isDry { lines.append("Nothing was stored.") }
        return lines.joined(separator: "\n")
    }

    private func counted(_ count: Int, _ noun: String, _ plural: String) -> String {
        "\(count) \(count == 1 ? noun : plural)"
    }
}
