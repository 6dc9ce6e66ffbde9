internal import Countersign
internal import CountersignServer
internal import Foundation

/// The file of settings, looked over before it is used: a key that nothing reads is most likely misspelt.
enum SettingsFile {
    static let keys: Set<String> = [
        "allow-insecure-http", "audit-lifetime", "data", "database", "issuer", "limits", "listen", "log-format",
        "log-level", "longest-wait", "most-connections", "operations-listen", "session-lifetime", "tls-certificate",
        "tls-key", "trusted-proxies",
    ]

    /// Makes sure that a file can be read and holds known keys only.
    static func check(_ path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("The configuration file \(path) cannot be read.")
        }
        guard let settings = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else {
            throw Failure("The configuration file \(path) is no JSON object.")
        }
        let limits = (settings["limits"] as? [String: Any]).map { Array($0.keys) } ?? []
        let unknown =
            settings.keys.filter { !keys.contains($0) }.sorted()
            + limits.filter { LimitTable.standard[LimitName($0)] == nil }.map { "limits.\($0)" }.sorted()
        guard unknown.isEmpty else {
            throw Failure(
                "The configuration file \(path) has unknown keys: \(unknown.joined(separator: ", ")). "
                    + "Known are: \(keys.sorted().joined(separator: ", "))."
            )
        }
    }
}
