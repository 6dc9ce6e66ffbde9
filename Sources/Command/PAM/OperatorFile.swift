internal import Countersign
internal import Foundation

/// A file that decides who is let in: nobody but root, and the user who runs the command, may be able to change it.
enum OperatorFile {
    /// The text of the file.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read, and when other users may change it.
    static func text(at path: String) throws(CommandError) -> String {
        try SuppliedText.text(bytes(at: path), of: "The file \(path)")
    }

    /// The bytes of the file.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read, and when other users may change it.
    static func bytes(at path: String) throws(CommandError) -> Data {
        let bytes = try SuppliedText.bytes(in: path)
        let status = try FileStatus(following: path).or(failure: "The file \(path) cannot be read.")
        guard status.owner == 0 || status.owner == geteuid() else {
            throw CommandError("The file \(path) belongs to another user: chown root \(path).")
        }
        guard status.permissions & 0o022 == 0 else {
            throw CommandError("Other users may change \(path): chmod go-w \(path).")
        }
        return bytes
    }

    /// Whether only root can change a file, or put another in its place: it is root's, and so is each folder and link on
    /// the way to it.
    static func isForRootAlone(_ path: String) -> Bool {
        PathPlace.visited(along: path)?.allSatisfy(\.isForRootAlone) ?? false
    }
}
