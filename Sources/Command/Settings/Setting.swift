internal import Configuration
internal import CountersignServer

/// A setting of the server, with its whole description.
///
/// Its option, its environment variable, its key in the configuration file, its help and the checks of `doctor` are
/// made of this declaration.
struct Setting: Sendable {
    /// The form of a value.
    enum Form: Sendable, Equatable {
        case text, truth, number, list, limits
        /// The path of a file with a secret; the environment variable of another key may hold the secret itself.
        case secretFile(replacedBy: String? = nil)
    }

    /// Puts the value into the settings of a server.
    typealias Application = @Sendable (ConfigReader, inout ServerSettings) throws -> Void

    /// A member of the settings of a server.
    typealias Member<Value> = any WritableKeyPath<ServerSettings, Value> & Sendable

    /// The key in the configuration file.
    let key: String
    /// The name of the value in the help; `nil` for a flag.
    let valueName: String?
    /// The help of the option.
    let help: String
    let form: Form
    /// The key of the setting without which this one would do nothing.
    let needed: String?
    /// Puts the value into the settings of a server; does nothing for a setting that is read elsewhere.
    let apply: Application

    init(
        _ key: String,
        takes valueName: String? = nil,
        _ help: String,
        form: Form = .text,
        needs needed: String? = nil,
        _ apply: @escaping Application = { _, _ in }
    ) {
        self.key = key
        self.valueName = valueName
        self.help = help
        self.form = form
        self.needed = needed
        self.apply = apply
    }

    /// All settings, in the order of use: those that every server sets come first.
    static let all =
        StoreSettings.settings + AddressSettings.settings + PageSettings.settings + SignInSettings.settings
        + OperationSettings.settings + PhoneSettings.settings + MailSettings.settings
        + AppSettings.settings

    /// All settings by their keys.
    static let byKey: [String: Setting] = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// The environment variable of a key.
    static func variable(_ key: String) -> String {
        "COUNTERSIGN_" + key.uppercased().replacing("-", with: "_")
    }

    /// The environment variables of all settings.
    static var variables: Set<String> {
        var keys = ["config"]
        for setting in all {
            switch setting.form {
            case .limits: keys += LimitRule.allCases.map { "limits-\($0.rawValue)" }
            case .secretFile(let other?): keys += [setting.key, other]
            default: keys.append(setting.key)
            }
        }
        return Set(keys.map(variable))
    }

    /// Makes sure that the setting is not set without the one that it needs.
    func requireNeeded(in settings: ConfigReader) throws {
        guard let needed, settings.string(forKey: ConfigKey(needed)) == nil,
            settings.string(forKey: ConfigKey(key)) != nil
        else { return }
        throw CommandError.usage("--\(key) needs --\(needed).")
    }
}

/// Settings that are options of the same commands.
protocol SettingSection {
    static var settings: [Setting] { get }
}
