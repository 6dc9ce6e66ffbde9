internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import SystemPackage

/// Where the server keeps everything: shared by `serve` and `admin`.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The directory of the embedded database. (default: $XDG_DATA_HOME/countersign, or ~/.local/share/countersign)",
            discussion: "Key data, environment COUNTERSIGN_DATA.",
            valueName: "directory"
        )
    )
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A shared database in place of the embedded one: postgres://user@host/name.",
            discussion: "Key database, environment COUNTERSIGN_DATABASE.",
            valueName: "url"
        )
    )
    var database: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The base URL of the server, which is also its name in tokens. (default: http:// and what it listens on)",
            discussion: "Key issuer, environment COUNTERSIGN_ISSUER.",
            valueName: "url"
        )
    )
    var issuer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A JSON file with any of the keys named here.",
            discussion: "Flags come before the environment, the environment before the file.",
            valueName: "file"
        )
    )
    var config: String?

    /// The settings of all sources together; `flags` are those of the command itself.
    func settings(_ flags: [String: String?] = [:]) async throws -> ConfigReader {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        let given = flags.merging(["data": data, "database": database, "issuer": issuer]) { $1 }
        for (key, value) in given {
            if let value {
                values[AbsoluteConfigKey(key.split(separator: ".").map(String.init))] = ConfigValue(
                    .string(value), isSecret: false)
            }
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: values),
            EnvironmentVariablesProvider().prefixKeys(with: "countersign"),
        ]
        let environment = ProcessInfo.processInfo.environment
        if let file = config ?? environment["COUNTERSIGN_CONFIG"] {
            try SettingsFile.check(file)
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        return ConfigReader(providers: providers)
    }

    /// Standard: XDG Base Directory Specification.
    static var defaultDirectory: URL {
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") {
            return URL(fileURLWithPath: base).appendingPathComponent("countersign")
        }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share/countersign")
    }
}
