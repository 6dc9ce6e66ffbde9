internal import Countersign
internal import Foundation

/// The fields of one person in an imported file, by their names; empty ones are absent.
struct ImportRecord: Sendable {
    /// The number of the record's first line, or of the entry, from 1.
    let line: Int
    let fields: Result<[String: String], ImportLineError>
    /// The groups and attributes of the person, which formats of other systems have.
    var extras = ImportExtras()
}

/// The reason that one line of an imported file is refused, as a sentence.
struct ImportLineError: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The records of a file with people.
struct ImportFile: Sendable {
    /// The columns of CSV, and the members of lines of JSON.
    static let columns = [
        "username", "name", "email", "email_verified", "password_hash", "password", "subject", "administrator",
        "standing",
    ]

    let format: ImportFormat
    let records: [ImportRecord]
    /// The number of entries that are no people.
    let skipped: Int

    /// Reads a file, or standard input for `-`.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - format: Its form; `nil` for the one that its beginning shows.
    /// - Throws: a ``CommandError`` when it cannot be read as a whole.
    init(in path: String, as format: ImportFormat?) throws(CommandError) {
        let (data, source) = try Self.data(in: path)
        try self.init(of: data, called: source, as: format)
    }

    /// Reads the records of a file.
    ///
    /// - Parameters:
    ///   - data: The bytes, with a byte order mark or without.
    ///   - source: The source, as a sentence begins with it.
    ///   - format: Its form; `nil`, the default, for the one that its beginning shows.
    /// - Throws: a ``CommandError`` for a file in UTF-16, for CSV without columns, and for JSON that is cut off.
    init(of data: Data, called source: String, as format: ImportFormat? = nil) throws(CommandError) {
        let bytes = try Self.bytes(of: data, called: source)
        self.format = format ?? ImportFormat(of: bytes)
        switch self.format {
        case .csv: (records, skipped) = (try Self.csv(bytes, called: source), 0)
        case .jsonLines: (records, skipped) = (JSONLines.records(of: bytes), 0)
        case .keycloak: (records, skipped) = try KeycloakRealm(bytes, called: source).people
        case .glewlwyd: (records, skipped) = (try GlewlwydUser.records(of: bytes, called: source), 0)
        case .ldif: (records, skipped) = LDIFPeople.records(of: bytes)
        }
    }

    /// The bytes of a file, or of standard input for `-`, and the source, as a sentence begins with it.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read.
    static func data(in path: String) throws(CommandError) -> (Data, source: String) {
        guard path == "-" else {
            guard !SuppliedText.isDenied(path) else {
                throw CommandError(
                    "The file \(path) cannot be read by the user \(NSUserName()). Give it on standard input: - < \(path)"
                )
            }
            return (try SuppliedText.bytes(in: path), "The file \(path)")
        }
        guard !Terminal.givesInput else {
            throw CommandError.usage("'-' reads a file from standard input, and there is a terminal.")
        }
        let data = try? FileHandle.standardInput.readToEnd()
        return (data ?? Data(), "Standard input")
    }

    /// The bytes without a byte order mark.
    ///
    /// - Throws: a ``CommandError`` for a file in UTF-16, and an empty one.
    static func bytes(of data: Data, called source: String) throws(CommandError) -> [UInt8] {
        var bytes = Array(data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw CommandError("\(source) is UTF-16, as some programs write it. Write it as UTF-8.")
        }
        guard bytes.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw CommandError("\(source) is empty.")
        }
        return bytes
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
