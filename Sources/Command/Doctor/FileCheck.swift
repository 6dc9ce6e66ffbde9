internal import Configuration
internal import Foundation

/// Checks which users may read the files with secrets that the settings name.
struct SecretFilesCheck {
    let settings: ConfigReader

    var findings: [Finding] {
        Setting.all.compactMap { setting in
            guard case .secretFile = setting.form, let path = settings.string(forKey: ConfigKey(setting.key))
            else { return nil }
            return .exposed("settings", path, ", which holds the secret of \(setting.key)")
        }
    }
}

/// Checks which users may read the configuration file, if it contains a password.
struct FileCheck {
    let path: String

    var findings: [Finding] {
        guard let database = try? SettingsFile(path).values["database"], Self.hasPassword(database) else { return [] }
        return Finding.exposed("settings", path, ", which holds the password of the database").map { [$0] } ?? []
    }

    private static func hasPassword(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url) else { return true }
        return parts.password != nil || parts.queryItems?.contains { $0.name == "password" } == true
    }
}

extension Finding {
    /// The problem of a file that every user may read or write; `nil` when they may not, or there is none.
    static func exposed(_ subject: String, _ path: String, _ contents: String = "") -> Finding? {
        guard let mode = DataRights(of: path).mode, mode & 0o007 != 0 else { return nil }
        return .problem(
            subject, "Every user of this machine may read or write \(path)\(contents).",
            "Take that right away: chmod o= \(path)")
    }
}
