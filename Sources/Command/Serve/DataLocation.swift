internal import Configuration
internal import Countersign
internal import CountersignSQLite
internal import Foundation

/// The directory of the embedded database, whether or not it exists yet.
struct DataLocation: Sendable {
    static let file = SQLiteStore.fileName

    let directory: URL

    init(_ settings: ConfigReader) {
        directory = settings.string(forKey: "data").map { URL(fileURLWithPath: $0) } ?? StoreOptions.defaultDirectory
    }

    var path: String { directory.path }
    var rights: DataRights { DataRights(of: path) }

    /// Whether there is a database, or a file that this user cannot distinguish from one.
    var isTaken: Bool {
        switch rights.kind {
        case .nothing: false
        case .file: true
        case .directory, .outOfReach: DataRights(of: directory.appendingPathComponent(Self.file).path).kind != .nothing
        }
    }

    /// Whether it is a directory with nothing in it, such as one that was just made for the database.
    var isEmptyDirectory: Bool {
        guard rights.kind == .directory else { return false }
        return (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) ?? false
    }

    /// Makes sure that root makes no database that the server, which runs as the owner of the directory, may not write.
    ///
    /// - Throws: a ``CommandError`` that names the user who has to make it.
    func requireReadableByOwner() throws {
        guard geteuid() == 0, !isTaken, let owner = FileStatus(following: path)?.owner, owner != 0 else { return }
        throw CommandError(
            "There is no database yet, and the server may not use one of root's in \(path). "
                + "Run this as the user who runs the server: sudo -u '#\(owner)' countersign …"
        )
    }

    /// - Throws: a ``CommandError`` when there is no database.
    func requireDatabase() throws {
        if rights.kind == .outOfReach {
            throw CommandError("This user may not reach \(path). Run this as the user who runs the server.")
        }
        guard isTaken else { throw CommandError("There is no database in \(path). Name its directory with --data.") }
    }
}
