internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// Settings that each go to one member of the server's settings, which keeps its default when they are not set.
extension Setting {
    /// A setting whose value is made of its text.
    static func value<Value>(
        _ key: String,
        takes valueName: String,
        _ help: String,
        form: Form = .text,
        to member: Member<Value>,
        _ parse: @escaping @Sendable (String) throws -> Value
    ) -> Setting {
        Setting(key, takes: valueName, help, form: form) { settings, server in
            guard let text = settings.string(forKey: ConfigKey(key)) else { return }
            server[keyPath: member] = try parse(text)
        }
    }

    /// A setting of scope values.
    static func scope(_ key: String, _ help: String, to member: Member<Scope>) -> Setting {
        value(key, takes: "words", help, to: member) { try scope($0, of: key) }
    }

    /// The scope values.
    static func scope(_ text: String, of key: String) throws -> Scope {
        try Scope(parsing: text).or(usage: "\(key) has a character that no scope may have.")
    }

    /// A setting that is a whole number of seconds.
    static func seconds<Number: Numeric & Sendable>(
        _ key: String,
        _ help: String,
        in range: ClosedRange<Int>,
        to member: Member<Number>
    ) -> Setting {
        Setting(key, takes: "seconds", help, form: .number) { settings, server in
            guard let number = try settings.wholeNumber(ConfigKey(key), in: range).flatMap(Number.init(exactly:)) else {
                return
            }
            server[keyPath: member] = number
        }
    }

    /// A setting that is true or false.
    static func truth(_ key: String, _ help: String, to member: Member<Bool>) -> Setting {
        Setting(key, help, form: .truth) { $1[keyPath: member] = try $0.truth(ConfigKey(key)) }
    }

    /// The parts of a list with commas between.
    ///
    /// - Parameters:
    ///   - objection: The rest of a sentence that begins with a part that cannot be read.
    ///   - parse: Reads a part.
    static func list<Part>(_ text: String, orSay objection: String, _ parse: (String) -> Part?) throws -> [Part] {
        try text.split(separator: ",").map { part in
            let part = part.trimmingCharacters(in: .whitespaces)
            return try parse(part).or(usage: "\(part) \(objection)")
        }
    }
}

extension ConfigReader {
    /// A setting that is true or false; false when it is not set.
    func truth(_ key: ConfigKey) throws -> Bool {
        guard let word = string(forKey: key) else { return false }
        return try Bool(word: word).or(usage: "The setting \(key) is true or false.")
    }

    /// A setting that is a whole number in `range`; `nil` when it is not set.
    func wholeNumber(_ key: ConfigKey, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = string(forKey: key) else { return nil }
        return try Int(text).flatMap { range.contains($0) ? $0 : nil }.or(
            usage: "The setting \(key) takes a whole number from \(range.lowerBound) to \(range.upperBound).")
    }

    /// The retention of an audit entry, in seconds.
    func auditLifetime() throws -> Double {
        86_400 * Double(try wholeNumber("audit-lifetime", in: 1...36_500) ?? 400)
    }
}
