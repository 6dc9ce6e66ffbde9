internal import CountersignWire
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
        return try String(validating: isMarked ? bytes.dropFirst(3) : bytes.dropFirst(0), as: UTF8.self).or(
            failure: "\(source) is not UTF-8. Write it as UTF-8.")
    }

    /// The text of a file.
    ///
    /// - Parameter noun: The noun for the file, as a sentence begins with it.
    /// - Throws: a ``CommandError`` when it cannot be read, or is not UTF-8.
    static func text(in path: String, called noun: String = "The file") throws(CommandError) -> String {
        try text(bytes(in: path, called: noun), of: "\(noun) \(path)")
    }

    /// The bytes of a file.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read.
    static func bytes(in path: String, called noun: String = "The file") throws(CommandError) -> Data {
        if let data = FileManager.default.contents(atPath: path) { return data }
        let reader = isDenied(path) ? " by the user \(NSUserName())" : ""
        throw CommandError("\(noun) \(path) cannot be read\(reader).")
    }

    /// Refuses JSON in which an object has a member twice, of which one would be lost.
    ///
    /// - Throws: a ``CommandError`` with the name of the member.
    static func requireDistinctMembers(in json: Data, of file: String) throws(CommandError) {
        guard let name = RepeatedMember.name(in: json) else { return }
        throw CommandError("\(file) has the member \(name.shown) twice in one object, and one would be lost.")
    }

    /// Whether the user of this process has no right to read a file, or to reach it.
    static func isDenied(_ path: String) -> Bool { access(path, R_OK) != 0 && errno == EACCES }

    /// The secret in a file, without the white space around it.
    ///
    /// - Throws: a ``CommandError`` when the file cannot be read, or is not UTF-8.
    static func secret(in path: String) throws(CommandError) -> String {
        try text(in: path).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
