internal import Countersign
internal import Foundation

/// The rights on the directory of the database: which users besides its owner may use it.
struct DataRights: Sendable {
    /// The kind of file at a path.
    enum Kind: Sendable, Equatable {
        case nothing
        /// This user may not even see whether something is there.
        case outOfReach
        case directory
        case file
    }

    let path: String
    let kind: Kind
    /// The bits of the mode; `nil` when nothing is found.
    let mode: Int?
    /// The user number of the owner.
    private let owner: UInt32?

    /// Reads the rights of `path`; a symbolic link is followed.
    init(of path: String) {
        self.path = path
        guard let status = FileStatus(following: path) else {
            kind = errno == ENOENT || errno == ENOTDIR ? .nothing : .outOfReach
            (mode, owner) = (nil, nil)
            return
        }
        kind = status.kind == .directory ? .directory : .file
        mode = status.permissions
        owner = status.owner
    }

    /// Whether other users can add or remove files.
    var isWritableByOthers: Bool { (mode ?? 0) & 0o022 != 0 }
    /// Whether other users can enter the directory or list its files; only the owner can read the database itself in
    /// any case.
    var isOpenToOthers: Bool { (mode ?? 0) & 0o055 != 0 }

    /// The parent directory, if every user can rename what is in it. Only owners can if the sticky bit is set.
    var openParent: String? {
        [path, URL(fileURLWithPath: path).resolvingSymlinksInPath().path]
            .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
            .first { (DataRights(of: $0).mode ?? 0) & 0o1002 == 0o002 }
    }

    /// The advice that keeps other users out.
    var mend: String {
        isForAll ? "Choose a directory of its own with --data." : "Take that right away: chmod 700 \(path)"
    }

    /// Whether the directory is shared with other programs, so that its rights should not be changed.
    private var isForAll: Bool {
        guard (mode ?? 0) & 0o1000 == 0, owner == geteuid() else { return true }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return !files.isEmpty && !files.contains { $0.hasPrefix(DataLocation.file) }
    }

    /// An empty directory of this user's is closed to all others, as a new one would be.
    ///
    /// - Throws: a ``CommandError`` if other users could replace the database, or enter its directory.
    func requireSafety() throws {
        guard !isWritableByOthers else {
            throw CommandError(
                "Others may write the data directory \(path) (mode \(String(mode ?? 0, radix: 8))), and so put a database "
                    + "of theirs in place. \(mend)"
            )
        }
        if let openParent {
            throw CommandError(
                "Others may write \(openParent), and so put a data directory of theirs in place of \(path). "
                    + "Choose another with --data, or take that right away: chmod o-w \(openParent)"
            )
        }
        guard isOpenToOthers, !closeIfEmpty() else { return }
        throw CommandError(
            "Others may enter the data directory \(path) (mode \(String(mode ?? 0, radix: 8))), which holds the keys that sign "
                + "tokens. \(mend)"
        )
    }

    /// Takes the rights of others away from an empty directory of this user's; returns whether it did.
    private func closeIfEmpty() -> Bool { isClosedAtStart && chmod(path, 0o700) == 0 }

    /// Whether the directory is this user's and empty, so that the first start closes it to all others.
    var isClosedAtStart: Bool {
        guard kind == .directory, owner == geteuid(), (mode ?? 0) & 0o1000 == 0,
            let files = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return false }
        return files.isEmpty
    }
}
