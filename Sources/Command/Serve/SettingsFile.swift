internal import Foundation

/// The file of settings, looked over before it is used: a key that nothing reads is most likely misspelt.
enum SettingsFile {
    static let keys: Set<String> = [
        "data", "database", "issuer", "listen", "log-level", "longest-wait", "session-lifetime",
        "trusted-proxies",
    ]

    /// Makes sure that a file can be read and holds known keys only.
    static func check(_ path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("The configuration file \(path) cannot be read.")
        }
        guard let settings = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else {
            throw Failure("The configuration file \(path) is no JSON object.")
        }
        let unknown = settings.keys.filter { !keys.contains($0) }.sorted()
        guard unknown.isEmpty else {
            throw Failure(
                "The configuration file \(path) has unknown keys: \(unknown.joined(separator: ", ")). "
                    + "Known are: \(keys.sorted().joined(separator: ", "))."
            )
        }
    }
}
