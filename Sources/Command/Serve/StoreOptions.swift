internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import FoundationEssentialsCompat

/// The options that name the database: shared by `serve`, `admin` and `doctor`.
struct StoreOptions: ParsableArguments {
    @OptionGroup var named: SettingOptions<StoreSettings>

    @OptionGroup var file: ConfigurationFileOption

    /// The settings of all sources together; `flags` are those of the command itself.
    func settings(_ flags: [String: String] = [:]) throws -> ConfigReader {
        ConfigReader(providers: try providers(flags))
    }

    /// The sources of the settings; the first that has a value counts.
    func providers(_ flags: [String: String]) throws -> [any ConfigProvider] {
        let given = try flags.merging(named.flags) { $1 }
        var providers: [any ConfigProvider] = [
            Self.provider("flags", of: given.mapValues(Self.trimmed)),
            EnvironmentVariablesProvider(environmentVariables: Self.environment).prefixKeys(with: "countersign"),
        ]
        if let configurationFile {
            providers.append(
                Self.provider("file", of: try SettingsFile(configurationFile).values.mapValues(Self.trimmed)))
        }
        return providers
    }

    /// Whether an option names the directory of the embedded database.
    var namesDirectory: Bool { get throws { try named.flags["data"] != nil } }

    /// The configuration file, if one is named.
    var configurationFile: String? { file.config ?? Self.environment["COUNTERSIGN_CONFIG"] }

    /// The environment variables that are set. Compose files and charts pass optional ones on as empty, so an empty one
    /// is not set; white space around a value is removed.
    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.mapValues(trimmed).filter { !$0.value.isEmpty }
    }

    /// A value without the white space around it, which a file or a shell left there.
    private static func trimmed(_ value: String) -> String { TypedText.trimmed(value) }

    /// Settings by their keys; a dot in a key leads into an object.
    static func provider(_ name: String, of settings: [String: String]) -> InMemoryProvider {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in settings {
            let place = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
            values[place] = ConfigValue(.string(value), isSecret: false)
        }
        return InMemoryProvider(name: name, values: values)
    }

    /// Standard: XDG Base Directory Specification.
    static var defaultDirectory: URL {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") {
            return URL(fileURLWithPath: base).appendingPathComponent("countersign")
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser)
            .appendingPathComponent(".local/share/countersign")
    }
}
