internal import Configuration
internal import Foundation

/// Checks which users may read the files with secrets that the settings name.
struct SecretFilesCheck {
    let settings: ConfigReader

    var findings: [Finding] {
        Setting.all.compactMap { setting in
            guard case .secretFile = setting.form, let path = settings.string(forKey: ConfigKey(setting.key)),
                let mode = DataRights(of: path).mode, mode & 0o007 != 0
            else { return nil }
            return .problem(
                "settings",
                "Every user of this machine may read or write \(path), which holds the secret of \(setting.key).",
                "Take that right away: chmod o= \(path)"
            )
        }
    }
}

/// Checks which users may read the configuration file, if it contains a password.
struct FileCheck {
    let path: String

    var findings: [Finding] {
        guard let database = try? SettingsFile(path).values["database"], Self.hasPassword(database),
            let mode = DataRights(of: path).mode, mode & 0o007 != 0
        else { return [] }
        return [
            .problem(
                "settings",
                "Every user of this machine may read or write \(path), which holds the password of the database.",
                "Take that right away: chmod o= \(path)"
            )
        ]
    }

    private static func hasPassword(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url) else { return true }
        return parts.password != nil || parts.queryItems?.contains { $0.name == "password" } == true
    }
}
