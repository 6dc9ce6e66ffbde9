internal import Countersign
internal import CountersignServer
internal import FoundationEssentialsCompat

/// The configuration file. It is validated as a whole, since a key that no setting has is most likely a mistake.
struct SettingsFile: Sendable {
    /// The values as they would be written in flags, by the keys of the settings.
    let values: [String: String]

    /// Reads and validates a file.
    init(_ path: String) throws {
        let bytes = try SuppliedText.bytes(in: path, called: "The configuration file")
        try SuppliedText.requireDistinctMembers(in: bytes, of: "The configuration file \(path)")
        let settings = try (try? JSONDecoder().decode([String: Value].self, from: bytes)).or(
            failure: "The configuration file \(path) is no JSON object.")
        let limits: [String: Value] = if case .object(let limits)? = settings["limits"] { limits } else { [:] }
        let unknown = settings.keys.filter { Setting.byKey[$0] == nil }.sorted()
        guard unknown.isEmpty else {
            throw Self.unknown("keys", unknown, known: Setting.byKey.keys.sorted(), in: path)
        }
        let unknownLimits = limits.keys.filter { LimitRule(rawValue: $0) == nil }.sorted()
        guard unknownLimits.isEmpty else {
            throw Self.unknown("limits", unknownLimits, known: LimitSettings.names, in: path)
        }
        var values: [String: String] = [:]
        for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
            guard let setting = Setting.byKey[key] else { continue }
            if case .object(let limits) = value, setting.form == .limits {
                for (name, limit) in limits.sorted(by: { $0.key < $1.key }) {
                    values["limits.\(name)"] = try Self.read(limit, as: .limit, key: "limits.\(name)", in: path)
                }
            } else {
                values[key] = try Self.read(value, as: Form(setting.form), key: key, in: path)
            }
        }
        self.values = values
    }

    /// The failure for unknown words: with a suggestion for each, or with all known words where one has none.
    private static func unknown(_ noun: String, _ words: [String], known: [String], in path: String) -> CommandError {
        let suggestion = Suggestion(from: known)
        var sentence = "The configuration file \(path) has unknown \(noun): \(suggestion.list(words))."
        if words.contains(where: { suggestion.nearest(to: $0) == nil }) {
            sentence += " Known are: \(known.joined(separator: ", "))."
        }
        return CommandError(sentence)
    }

    private static func read(_ value: Value, as form: Form, key: String, in path: String) throws -> String {
        switch (form, value) {
        case (.text, .text(let text)), (.limit, .text(let text)), (.list, .text(let text)): return text
        case (.truth, .truth(let truth)): return "\(truth)"
        case (.truth, .text(let text)) where ["true", "false"].contains(text): return text
        case (.number, .number(let number)): return "\(number)"
        case (.number, .text(let text)) where Int(text) != nil: return text
        case (.list, .list(let list)):
            return try list.map { try read($0, as: .place, key: key, in: path) }.joined(separator: ",")
        case (.place, .text(let text)) where !text.contains(","): return text
        default: break
        }
        throw CommandError("In the configuration file \(path), the key \(key) takes \(form.rawValue); not \(value).")
    }
}

extension SettingsFile {
    /// The form of a value, with its description in error messages.
    private enum Form: String, Sendable {
        case text = "a text in quotation marks"
        case truth = "true or false"
        case number = "a whole number"
        case list = "a list, as in [\"10.0.0.5\", \"10.1.0.0/16\"]"
        case place = "a list of addresses and networks, each in quotation marks"
        case limit = "a text in quotation marks, as in \"10/60\" or \"off\""
        case limits = "an object, as in { \"start-per-address\": \"1000/600\" }"

        init(_ form: Setting.Form) {
            self =
                switch form {
                case .text, .secretFile: .text
                case .truth: .truth
                case .number: .number
                case .list: .list
                case .limits: .limits
                }
        }
    }

    /// A JSON value, with its description in error messages.
    private enum Value: Decodable, CustomStringConvertible {
        case nothing
        case truth(Bool)
        case number(Int)
        case fraction(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            func read<Form: Decodable>(_ form: Form.Type, _ make: (Form) -> Value) -> Value? {
                (try? value.decode(form)).map(make)
            }
            self =
                try value.decodeNil()
                ? .nothing
                : read(Bool.self, Value.truth) ?? read(Int.self, Value.number) ?? read(Double.self, Value.fraction)
                    ?? read(String.self, Value.text) ?? read([Value].self, Value.list)
                    ?? .object(value.decode([String: Value].self))
        }

        var description: String {
            switch self {
            case .nothing: "null"
            case .truth(let truth): "\(truth)"
            case .number(let number): "\(number)"
            case .fraction(let fraction): "\(fraction)"
            case .text(let text): "the text \"\(text)\""
            case .list: "a list"
            case .object: "an object"
            }
        }
    }
}
