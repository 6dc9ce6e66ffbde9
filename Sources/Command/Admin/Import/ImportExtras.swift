internal import Countersign
internal import CountersignServer
internal import Foundation

/// The groups and further facts of an imported person, and notes about what was left out.
struct ImportExtras: Sendable, Equatable {
    private(set) var groups: [GroupName] = []
    private(set) var attributes: [AttributeName: String] = [:]
    private(set) var locale: String?
    private(set) var zoneInfo: String?
    /// The facts that are not taken, each as a sentence.
    private(set) var notes: [String] = []

    mutating func note(_ sentence: String) { notes.append(sentence) }

    /// Adds a group by its name; one whose name no group may have is noted.
    mutating func add(group name: String) {
        guard let group = GroupName(parsing: name) else {
            return note("group '\(name.brief)' not taken: names have letters, digits and . _ - @ + : /")
        }
        if !groups.contains(group) { groups.append(group) }
    }

    /// Adds an attribute; one that does not fit is noted.
    mutating func add(attribute name: String, _ value: String) {
        guard !value.isEmpty else { return }
        switch name {
        case "locale" where value.isPlainName(upTo: 35, with: "-"): locale = value
        case "zoneinfo" where TimeZone(named: value) != nil: zoneInfo = value
        case "zoneinfo": note("zoneinfo '\(value.brief)' not taken: it is a time zone, as in Europe/Vienna.")
        default:
            guard let parsed = AttributeName(parsing: name) else {
                return note("attribute '\(name.brief)' not taken: names have letters, digits and . _ -")
            }
            guard value.isLine(of: 1...PersonProfile.longestValue) else {
                return note("attribute \(name) not taken: it is one line of at most \(PersonProfile.longestValue).")
            }
            guard attributes.count < PersonProfile.mostAttributes || attributes[parsed] != nil else {
                return note("attribute \(name) not taken: a person has at most \(PersonProfile.mostAttributes).")
            }
            attributes[parsed] = value
        }
    }
}

extension ImportExtras {
    /// The profile of a new person.
    var profile: PersonProfile { PersonProfile(locale: locale, zoneInfo: zoneInfo, attributes: attributes) }
}

extension PersonProfile {
    /// Takes the facts of an imported person; others stay.
    mutating func take(_ extras: ImportExtras) {
        locale = extras.locale ?? locale
        zoneInfo = extras.zoneInfo ?? zoneInfo
        attributes.merge(extras.attributes) { $1 }
    }
}

/// A person as a file of another system has them, who becomes a record.
struct ForeignPerson {
    private var fields: [String: String] = [:]
    var extras = ImportExtras()

    /// Sets a field, unless it is absent or empty.
    mutating func set(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        fields[name] = value
    }

    /// Takes a hash that the server verifies, and notes another one, by the name of its scheme.
    mutating func take(hash text: String, called scheme: String) {
        guard (try? PasswordHash(imported: text)) != nil else {
            return extras.note("hash not taken (\(scheme.brief)): the person needs a link.")
        }
        fields["password_hash"] = text
    }

    /// Notes a password that was to be replaced at the next sign-in: others may know it.
    mutating func noteTemporaryPassword() {
        extras.note("hash not taken (temporary password): the person needs a link.")
    }

    func record(line: Int) -> ImportRecord { ImportRecord(line: line, fields: .success(fields), extras: extras) }
}

extension String {
    /// The text as a report has it, not longer than a line.
    var brief: String { utf8.count > 80 ? "\(String(unicodeScalars.prefix(40)).shown)…" : shown }
}
