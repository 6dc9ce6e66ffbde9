internal import Foundation

/// Text that a program or a file gives to the command. It is UTF-8, or refused: a password would be another one if a
/// part of it were replaced.
enum SuppliedText {
    /// The text of these bytes, without a byte order mark at their beginning.
    ///
    /// - Parameter source: The source of the bytes, as a sentence begins with it.
    /// - Throws: a ``CommandError`` that says how they are written instead.
    static func text(_ bytes: some Collection<UInt8>, of source: String) throws(CommandError) -> String {
        let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
        guard !marks.contains(where: { bytes.starts(with: $0) }), !bytes.contains(0) else {
            throw CommandError("\(source) is UTF-16, as some programs write it. Write it as UTF-8.")
        }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8])
        guard let text = String(validating: isMarked ? bytes.dropFirst(3) : bytes.dropFirst(0), as: UTF8.self) else {
            throw CommandError("\(source) is not UTF-8. Write it as UTF-8.")
        }
        return text
    }
}
