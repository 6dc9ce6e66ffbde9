internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignSQLite
internal import Foundation

/// Looks at where everything is kept: rights, room, the database and what is in it.
struct DataExamination {
    private let settings: ConfigReader
    private let now = ServerClock.system.now()

    /// How much room there should be at least, in bytes.
    private static let room: Int64 = 1 << 28
    /// How far the newest row may be ahead of the clock, in seconds.
    private static let tolerance: TimeInterval = 60

    init(_ settings: ConfigReader) {
        self.settings = settings
    }

    var findings: [Finding] {
        get async {
            if let url = settings.string(forKey: "database") { return SharedDataExamination(url, at: now).findings }
            let directory =
                settings.string(forKey: "data").map { URL(fileURLWithPath: $0) } ?? StoreOptions.defaultDirectory
            guard FileManager.default.fileExists(atPath: directory.path) else {
                return [.notice("data", "\(directory.path) is not there yet.", "The first start makes it.")]
            }
            return rights(of: directory) + room(in: directory) + database(in: directory)
        }
    }

    private func rights(of directory: URL) -> [Finding] {
        var findings: [Finding] = []
        let rights = DataRights(of: directory.path)
        let mend = "Take that right away: chmod 700 \(directory.path)"
        if rights.isWritableByOthers {
            findings.append(.problem("data", "Others may write \(directory.path).", mend))
        } else if rights.isReadableByOthers {
            findings.append(.notice("data", "Others may see which files are in \(directory.path).", mend))
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for file in files.sorted() where file.hasPrefix(SQLiteStore.fileName) {
            let path = directory.appendingPathComponent(file).path
            if let mode = DataRights(of: path).mode, mode & 0o077 != 0 {
                findings.append(
                    .problem(
                        "data",
                        "Others may read \(path), which holds the keys that sign tokens.",
                        "Take that right away: chmod 600 \(path)"
                    )
                )
            }
            if !FileManager.default.isWritableFile(atPath: path) {
                findings.append(
                    .problem("data", "This user may not write \(path).", "Run this as the user who runs the server.")
                )
            }
        }
        return findings.isEmpty ? [.fine("data", "\(directory.path), for its owner only")] : findings
    }

    private func room(in directory: URL) -> [Finding] {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory.path)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else { return [] }
        let shown = free.formatted(.byteCount(style: .file))
        guard free < Self.room else { return [.fine("disk", "\(shown) free")] }
        return [.problem("disk", "Only \(shown) are free.", "Make room: without any, nobody can sign in.")]
    }

    private func database(in directory: URL) -> [Finding] {
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
            return [.fine("database", "whole, with \(inspection.clients.count) clients")] + clock(inspection)
                + ContentsExamination(clients: inspection.clients, keys: inspection.keys, now: now).findings
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
