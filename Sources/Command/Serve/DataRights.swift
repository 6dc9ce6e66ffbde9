internal import Foundation

/// Who besides its owner may use the data directory.
struct DataRights: Sendable {
    let path: String
    /// The nine bits of the mode; `nil` when there is no such directory yet.
    let mode: Int?

    init(of path: String) {
        self.path = path
        mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    }

    /// Whether others can put files there, or take them away.
    var isWritableByOthers: Bool { (mode ?? 0) & 0o022 != 0 }
    /// Whether others can see what is there; the database itself is its owner's alone in any case.
    var isReadableByOthers: Bool { (mode ?? 0) & 0o055 != 0 }

    /// - Throws: a ``Failure`` when others could put a database of theirs in place of ours.
    func requireSafety() throws {
        guard !isWritableByOthers else {
            throw Failure(
                "Others may write the data directory \(path) (mode \(String(mode ?? 0, radix: 8))), and so put a database "
                    + "of theirs in place. Take that right away: chmod 700 \(path)"
            )
        }
    }
}
