internal import Configuration
internal import Countersign
internal import CountersignServer

/// Reads the limits from flags, environment and file.
enum LimitSettings {
    /// Flags as settings; each is `name=10/60` or `name=off`.
    static func flags(_ flags: [String]) throws -> [String: String] {
        var settings: [String: String] = [:]
        for flag in flags {
            let named = NamedValue(parsing: flag)
            let name = named?.name ?? flag
            guard LimitRule(rawValue: name) != nil else {
                let advice = Suggestion(from: names).question(for: name)
                throw CommandError.usage(
                    "\(flag) sets no limit: it needs a name, as in guess-per-address=30/600. "
                        + (advice ?? "Names are: \(names.joined(separator: ", ")).")
                )
            }
            guard let value = named?.value, !value.isEmpty else {
                throw CommandError.usage("The limit \(name) needs a value, as in \(name)=10/60 or \(name)=off.")
            }
            settings["limits.\(name)"] = value
        }
        return settings
    }

    /// Makes sure that each environment variable of a limit names one: a mistyped one would leave the default.
    ///
    /// - Parameter environment: The variables that are set.
    /// - Throws: a ``CommandError`` with the first that names none.
    static func requireKnownVariables(in environment: [String: String]) throws {
        let known = names.map { Setting.variable("limits-\($0)") }
        let unknown = environment.keys.filter { $0.hasPrefix(variablePrefix) && !known.contains($0) }.sorted()
        guard let variable = unknown.first else { return }
        throw CommandError.usage(
            "The environment variable \(variable) sets no limit. "
                + (Suggestion(from: known).question(for: variable, behind: variablePrefix)
                    ?? "Names are: \(known.joined(separator: ", "))."))
    }

    /// The beginning of the environment variables of limits.
    static let variablePrefix = Setting.variable("limits-")

    /// The default limits with the changes of the settings.
    static func limits(in settings: ConfigReader) throws -> Limits {
        try requireKnownVariables(in: StoreOptions.environment)
        var limits = Limits()
        for rule in LimitRule.allCases {
            let name = rule.rawValue
            guard let text = settings.string(forKey: ConfigKey(["limits", name])) else { continue }
            if text == "off" {
                limits[rule] = nil
            } else if let limit = Limit(parsing: text) {
                limits[rule] = limit
            } else {
                throw CommandError.usage(
                    "The limit \(name) is times and seconds (1 to 86400), as in 10/60, or off; not "
                        + (text.isEmpty ? "an empty text." : "\(text).")
                )
            }
        }
        return limits
    }

    /// The source of the value of a limit: a variable, the configuration file, or the default.
    static func source(of rule: LimitRule, in settings: ConfigReader, _ storage: StoreOptions) -> String {
        let variable = Setting.variable("limits-\(rule.rawValue)")
        if StoreOptions.environment[variable] != nil { return variable }
        guard settings.string(forKey: ConfigKey(["limits", rule.rawValue])) != nil else { return "default" }
        return storage.configurationFile ?? "default"
    }

    /// The names of the limits that there are.
    static var names: [String] { LimitRule.allCases.map(\.rawValue).sorted() }
}
