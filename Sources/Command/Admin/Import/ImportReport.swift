/// The report of an import.
struct ImportReport: Sendable, Equatable {
    struct Refusal: Sendable, Equatable {
        let line: Int
        let reason: String
    }

    let isDry: Bool
    private(set) var added = 0
    private(set) var changed = 0
    private(set) var unchanged = 0
    /// The number of addresses that were not verified.
    var unverifiedEmails = 0
    var refused: [Refusal] = []

    init(isDry: Bool) { self.isDry = isDry }

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
                : CommandError("\(Self.count(refused.count, "line")) refused, of which nothing is stored."))
    }

    private var members: OutputMembers {
        [
            "dry_run": isDry, "added": added, "changed": changed, "unchanged": unchanged,
            "unverified_emails": unverifiedEmails,
            "refused": refused.map { ["line": $0.line, "reason": $0.reason] as OutputMembers },
        ]
    }

    private var words: String {
        var lines = refused.map { "Line \($0.line): \($0.reason)" }
        let added = isDry ? "to be added" : "added"
        let changed = isDry ? "to be changed" : "changed"
        lines.append("People: \(self.added) \(added), \(self.changed) \(changed), \(unchanged) unchanged.")
        if unverifiedEmails > 0 {
            let addresses = Self.count(unverifiedEmails, "e-mail address", "es")
            lines.append("Not verified, so that nobody signs in by them: \(addresses).")
        }
        if isDry { lines.append("Nothing was stored.") }
        return lines.joined(separator: "\n")
    }

    private static func count(_ count: Int, _ noun: String, _ plural: String = "s") -> String {
        "\(count) \(noun)\(count == 1 ? "" : plural)"
    }
}
