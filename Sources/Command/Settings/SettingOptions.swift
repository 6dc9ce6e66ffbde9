internal import ArgumentParser

/// The options of a section of settings.
///
/// ArgumentParser finds the options of a type in its mirror, so this mirror has one for each declaration.
struct SettingOptions<Section: SettingSection>: ParsableArguments, CustomReflectable {
    /// The values on the command line, by the keys of the settings.
    private var values: [String: [String]] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Setting.OptionKey.self)
        for setting in Section.settings { values[setting.key] = try setting.values(in: options) }
    }

    var customMirror: Mirror {
        Mirror(self, children: Section.settings.map { (label: $0.key, value: $0.option) })
    }

    /// The options of the command line as settings, by their keys.
    ///
    /// - Throws: a ``CommandError`` for a limit that cannot be read.
    var flags: [String: String] {
        get throws {
            var flags: [String: String] = [:]
            for setting in Section.settings {
                let given = values[setting.key] ?? []
                if setting.form == .limits {
                    flags.merge(try LimitSettings.flags(given)) { $1 }
                } else {
                    flags[setting.key] = given.last
                }
            }
            return flags
        }
    }
}

extension Setting {
    /// The name of an option for the parser.
    fileprivate struct OptionKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The option as the parser takes it.
    fileprivate var option: Any {
        let name = NameSpecification.customLong(form == .limits ? "limit" : key)
        let help = ArgumentHelp(help, discussion: sources, valueName: valueName)
        return switch form {
        case .truth: Flag(wrappedValue: false, name: name, help: help)
        case .number: Option<Int?>(name: name, help: help)
        case .limits: Option<[String]>(wrappedValue: [], name: name, help: help)
        case .text, .list, .secretFile: Option<String?>(name: name, help: help)
        }
    }

    /// The values of the option on the command line.
    fileprivate func values(in options: KeyedDecodingContainer<OptionKey>) throws -> [String] {
        let key = OptionKey(stringValue: key)
        switch form {
        case .truth: return try options.decode(Flag<Bool>.self, forKey: key).wrappedValue ? ["true"] : []
        case .number: return try options.decode(Option<Int?>.self, forKey: key).wrappedValue.map { ["\($0)"] } ?? []
        case .limits: return try options.decode(Option<[String]>.self, forKey: key).wrappedValue
        case .text, .list, .secretFile:
            return try options.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? []
        }
    }

    /// The other sources of the setting, for people.
    private var sources: String {
        let variable = Self.variable(key)
        return switch form {
        case .list: "Key \(key), which may be a list; environment \(variable)."
        case .limits: "Key \(key), an object; environment \(variable)_ and the name, with _ for each -."
        case .secretFile(let other?):
            "Key \(key), environment \(variable). In place of the file, the environment variable "
                + "\(Self.variable(other)) may hold the secret itself."
        case .text, .number, .truth, .secretFile: "Key \(key), environment \(variable)."
        }
    }
}
