internal import Configuration
internal import Countersign
internal import Foundation

/// Checks the file with the key of the audit.
struct AuditKeyCheck {
    private let settings: ConfigReader

    private static let subject = "audit"

    init(_ settings: ConfigReader) {
        self.settings = settings
    }

    var findings: [Finding] {
        // Problems of the database's directory are reported by the check of that directory.
        let isNamed = settings.string(forKey: "audit-key") != nil
        guard let file = AuditKeyFile(settings), isNamed || LocationCheck(DataLocation(settings)).isOpen else {
            return []
        }
        do {
            try file.tried()
            return isNamed ? [] : ownership(of: file.path)
        } catch {
            return [.problem(Self.subject, "\(error)", "The server does not start like this.")]
        }
    }

    /// Whether another user than that of the directory owns the key; root may read it regardless.
    private func ownership(of path: String) -> [Finding] {
        let directory = DataLocation(settings).path
        guard let owner = FileStatus(following: path)?.owner, let other = FileStatus(following: directory)?.owner,
            owner != other
        else { return [] }
        return [
            .notice(
                Self.subject,
                "The user \(owner) owns \(path), and the user \(other) the directory.",
                "If the server runs as the latter, give it the key: chown \(other) \(path)"
            )
        ]
    }
}
