internal import Countersign
internal import Foundation

/// A file that the operator names, with a private key.
enum PrivateKeyFile {
    /// The text of the file.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read, and when other users may read it.
    static func text(at path: String) throws(CommandError) -> String {
        let text = try SuppliedText.text(in: path, called: "The key file")
        if let status = FileStatus(following: path), status.isExposed(at: path) {
            throw CommandError("Other users of this machine may read \(path): chmod 600 \(path).")
        }
        return text
    }
}
