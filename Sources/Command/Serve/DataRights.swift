internal import Foundation

/// Where the database is kept, and who besides its owner may use that place.
struct DataRights: Sendable {
    /// What is found at a path.
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
    /// The number of the user whose it is.
    private let owner: UInt32?

    /// Looks at what is at `path`, or where it leads if it is a link.
    init(of path: String) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else {
            kind = errno == ENOENT || errno == ENOTDIR ? .nothing : .outOfReach
            (mode, owner) = (nil, nil)
            return
        }
        kind = status.st_mode & S_IFMT == S_IFDIR ? .directory : .file
        mode = Int(status.st_mode & 0o7777)
        owner = status.st_uid
    }

    /// Whether others can put files there, or take them away.
    var isWritableByOthers: Bool { (mode ?? 0) & 0o022 != 0 }
    /// Whether others can see what is there; the database itself is its owner's alone in any case.
    var isReadableByOthers: Bool { (mode ?? 0) & 0o055 != 0 }

    /// The directory around, when everybody can rename what is in it. Where the sticky bit is set, only owners can.
    var openParent: String? {
        [path, URL(fileURLWithPath: path).resolvingSymlinksInPath().path]
            .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
            .first { (DataRights(of: $0).mode ?? 0) & 0o1002 == 0o002 }
    }

    /// How to keep others out.
    var mend: String {
        isForAll ? "Choose a directory of its own with --data." : "Take that right away: chmod 700 \(path)"
    }

    /// Whether the directory is there for others as well, so that its rights are not to be changed.
    private var isForAll: Bool {
        guard (mode ?? 0) & 0o1000 == 0, owner == geteuid() else { return true }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return !files.isEmpty && !files.contains { $0.hasPrefix(DataPlace.file) }
    }

    /// - Throws: a ``Failure`` when others could put a database of theirs in place of ours.
    func requireSafety() throws {
        guard !isWritableByOthers else {
            throw Failure(
                "Others may write the data directory \(path) (mode \(String(mode ?? 0, radix: 8))), and so put a database "
                    + "of theirs in place. \(mend)"
            )
        }
        if let openParent {
            throw Failure(
                "Others may write \(openParent), and so put a data directory of theirs in place of \(path). "
                    + "Choose another with --data, or take that right away: chmod o-w \(openParent)"
            )
        }
    }
}
