internal import Foundation

/// The fields of one person in an imported file, by their names; empty ones are absent.
struct ImportRecord: Sendable {
    /// The number of the record's first line, from 1.
    let line: Int
    let fields: Result<[String: String], ImportLineError>
}

/// The reason that one line of an imported file is refused, as a sentence.
struct ImportLineError: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The records of a file with people, as CSV or as lines of JSON.
enum ImportFile {
    /// The columns of CSV, and the members of JSON.
    static let columns = [
        "username", "name", "email", "email_verified", "password_hash", "password", "subject", "administrator",
        "standing",
    ]

    /// Reads the file, or standard input for `-`.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read, or when its first line names no columns.
    static func records(in path: String) throws(CommandError) -> [ImportRecord] {
        guard path == "-" else {
            return try records(of: SuppliedText.bytes(in: path, called: "The file"), called: "The file \(path)")
        }
        guard !Terminal.givesInput else {
            throw CommandError.usage("'-' reads a file from standard input, and there is a terminal.")
        }
        let data = try? FileHandle.standardInput.readToEnd()
        return try records(of: data ?? Data(), called: "Standard input")
    }

    /// Reads the records of a file; its first character says which kind it is.
    ///
    /// - Parameters:
    ///   - data: The bytes, with a byte order mark or without.
    ///   - source: The source, as a sentence begins with it.
    /// - Throws: a ``CommandError`` for a file in UTF-16, and for one without columns.
    static func records(of data: Data, called source: String) throws(CommandError) -> [ImportRecord] {
        var bytes = Array(data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw CommandError("\(source) is UTF-16, as some programs write it. Write it as UTF-8.")
        }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first else { throw CommandError("\(source) is empty.") }
        return first == UInt8(ascii: "{") ? JSONLines.records(of: bytes) : try csv(bytes, called: source)
    }

    /// - Throws: a ``CommandError`` when the first line does not name the columns.
    private static func csv(_ bytes: [UInt8], called source: String) throws(CommandError) -> [ImportRecord] {
        var rows = CSVReader(bytes)
        guard let header = rows.next() else { throw CommandError("\(source) is empty.") }
        let names: [String]
        do {
            names = try header.fields.get()
        } catch {
            throw CommandError("Line \(header.line): \(error.reason)")
        }
        let known = columns.joined(separator: ", ")
        for (place, name) in names.enumerated() {
            guard columns.contains(name) else {
                let reason = "there is no column '\(name.shown)'. The first line names the columns: \(known)."
                throw CommandError("Line \(header.line): \(reason)")
            }
            guard !names[..<place].contains(name) else {
                throw CommandError("Line \(header.line): the column \(name) is there twice.")
            }
        }
        guard names.contains("username") else {
            throw CommandError("Line \(header.line): the column username is missing.")
        }
        var records: [ImportRecord] = []
        while let row = rows.next() {
            records.append(ImportRecord(line: row.line, fields: row.fields.flatMap { named($0, names) }))
        }
        return records
    }

    private static func named(_ values: [String], _ names: [String]) -> Result<[String: String], ImportLineError> {
        guard values.count == names.count else {
            return .failure(ImportLineError("It has \(values.count) fields, and the first line has \(names.count)."))
        }
        var fields: [String: String] = [:]
        for (name, value) in zip(names, values) where !value.isEmpty { fields[name] = value }
        return .success(fields)
    }
}
