internal import Foundation

/// The files of the demo that hold secrets.
enum DemoFile {
    /// Writes a file that only its owner may read, in place of an earlier one.
    ///
    /// - Throws: a ``CommandError`` when it cannot be written.
    static func write(_ text: String, to path: String) throws(CommandError) {
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw CommandError("The file \(path) cannot be written.") }
    }
}
