internal import Configuration
internal import Countersign
internal import CountersignServer

/// Reads the limits from flags, environment and file.
enum LimitSettings {
    /// Flags as settings; each is `name=10/60` or `name=off`.
    static func flags(_ flags: [String]) throws -> [String: String] {
        var settings: [String: String] = [:]
        for flag in flags {
            let parts = flag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard LimitRule(rawValue: parts[0]) != nil else {
                let advice = Suggestion(from: names).question(for: parts[0])
                throw CommandError.usage(
                    "\(flag) sets no limit: it needs a name, as in guess-per-address=30/600. "
                        + (advice ?? "Names are: \(names.joined(separator: ", ")).")
                )
            }
            guard parts.count == 2, !parts[1].isEmpty else {
                throw CommandError.usage(
                    "The limit \(parts[0]) needs a value, as in \(parts[0])=10/60 or \(parts[0])=off.")
            }
            settings["limits.\(parts[0])"] = parts[1]
        }
        return settings
    }

    /// The default limits with the changes of the settings.
    static func limits(in settings: ConfigReader) throws -> Limits {
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

    /// The names of the limits that there are.
    static var names: [String] { LimitRule.allCases.map(\.rawValue).sorted() }
}
