internal import CountersignSQLite
internal import Foundation

/// Checks the directory of the embedded database: which users may use it.
struct LocationCheck {
    private let place: DataLocation
    private let rights: DataRights

    init(_ place: DataLocation) {
        self.place = place
        rights = place.rights
    }

    /// Whether there is a directory that this user may list.
    var isOpen: Bool { rights.kind == .directory && access(place.path, R_OK | X_OK) == 0 }

    var findings: [Finding] {
        switch rights.kind {
        case .nothing:
            around + [.notice("data", "\(place.path) is not there yet.", "The first start makes it.")]
        case .outOfReach:
            [outOfReach]
        case .file:
            [.problem("data", "\(place.path) is a file.", "Name a directory with --data.")]
        case .directory:
            isOpen ? inside : around + [outOfReach]
        }
    }

    private var outOfReach: Finding {
        .problem("data", "This user may not look into \(place.path).", "Run this as the user who runs the server.")
    }

    /// Whether other users may replace this directory.
    private var around: [Finding] {
        guard let parent = rights.openParent else { return [] }
        return [
            .problem(
                "data",
                "Others may write \(parent), and so put a directory of theirs in place of \(place.path).",
                "Choose another with --data, or take that right away: chmod o-w \(parent)"
            )
        ]
    }

    private var inside: [Finding] {
        var findings = around
        if rights.isWritableByOthers {
            findings.append(.problem("data", "Others may write \(place.path).", rights.mend))
        } else if rights.isOpenToOthers {
            findings.append(
                rights.isClosedAtStart
                    ? .notice("data", "Others may enter \(place.path).", "The first start takes that right away.")
                    : .problem("data", "Others may enter \(place.path).", rights.mend))
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for file in files.sorted() where file.hasPrefix(SQLiteStore.fileName) {
            findings += self.file(place.directory.appendingPathComponent(file).path)
        }
        return findings.isEmpty ? [.fine("data", "\(place.path), for its owner only")] : findings
    }

    private func file(_ path: String) -> [Finding] {
        var findings: [Finding] = []
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
                .problem("data", "This user may not write \(path).", "Run this as the user who runs the server."))
        }
        return findings
    }
}
