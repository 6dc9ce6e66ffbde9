internal import Configuration
internal import Countersign
internal import CountersignSQLite
internal import CountersignServer
internal import Foundation

/// Checks the data: rights, free space, the database and its contents.
struct DataCheck {
    private let settings: ConfigReader
    private let now = TimeSource.system.now()

    /// The free space that there should be at least, in bytes.
    private static let room: Int64 = 1 << 28
    /// The longest time that the newest row may be ahead of the clock, in seconds.
    private static let tolerance: TimeInterval = 60

    init(_ settings: ConfigReader) {
        self.settings = settings
    }

    var findings: [Finding] {
        get async {
            if let url = settings.string(forKey: "database") {
                return SharedDataCheck(url, requiring: requiredGroups, at: now).findings
            }
            let place = DataLocation(settings)
            let check = LocationCheck(place)
            guard check.isOpen else { return check.findings }
            return check.findings + room(in: place.directory) + database(in: place.directory)
        }
    }

    /// The groups that scope values need; none where the setting cannot be read, which ``SettingsCheck`` says.
    private var requiredGroups: [ScopeWord: GroupName] {
        (try? settings.string(forKey: "required-groups").map(SignInSettings.requiredGroups)) ?? [:]
    }

    private func room(in directory: URL) -> [Finding] {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory.path)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else { return [] }
        let shown = free.formatted(.byteCount(style: .file, spellsOutZero: false))
        guard free < Self.room else { return [.fine("disk", "\(shown) free")] }
        return [.problem("disk", "Too little is free: \(shown).", "Make room: without, nobody can sign in.")]
    }

    private func database(in directory: URL) -> [Finding] {
        let file = directory.appendingPathComponent(SQLiteStore.fileName)
        if (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize == 0 {
            let advice = "The next start puts tables into it; if something was in it, restore it from a backup."
            return [.notice("database", "\(file.path) is empty.", advice)]
        }
        let inspection: SQLiteInspection
        do {
            guard let found = try SQLiteInspection.of(directory) else {
                return [.notice("database", "There is none yet.", "The first start makes it.")]
            }
            inspection = found
        } catch {
            return [.problem("database", "\(error)", "Until then the server does not start.")]
        }
        guard inspection.damage.isEmpty else {
            let damage = inspection.damage.joined(separator: "; ")
            return [.problem("database", "It is damaged: \(damage)", "Restore it from a backup.")]
        }
        switch inspection.tables {
        case .newer:
            return [.problem("database", "A newer version made it.", "Use that version, or a backup from before.")]
        case .older:
            return [.notice("database", "It is from an older version.", "The next start changes it; back it up first.")]
        case .current:
            let count = inspection.clients.count
            return [.fine("database", "whole, with \(count) client\(count == 1 ? "" : "s")")] + clock(inspection)
                + ContentsCheck(
                    clients: inspection.clients, keys: inspection.keys, groups: inspection.groups,
                    requiredGroups: requiredGroups, now: now
                ).findings
        }
    }

    private func clock(_ inspection: SQLiteInspection) -> [Finding] {
        let newest = max(inspection.newest ?? .distantPast, inspection.keys.map(\.created).max() ?? .distantPast)
        guard newest.timeIntervalSince(now) > Self.tolerance else { return [] }
        return [
            .problem(
                "clock",
                "The database knows of \(newest.formatted(.iso8601)), but the clock says \(now.formatted(.iso8601)).",
                "Set the clock right: tokens and codes live by it."
            )
        ]
    }
}
