internal import Foundation

/// Reads one object of JSON from each line; empty lines are skipped.
enum JSONLines {
    static func records(of bytes: [UInt8]) -> [ImportRecord] {
        var records: [ImportRecord] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            let result = Result { () throws(ImportLineError) in try fields(of: line) }
            records.append(ImportRecord(line: index + 1, fields: result))
        }
        return records
    }

    private static func fields(of line: ArraySlice<UInt8>) throws(ImportLineError) -> [String: String] {
        guard let members = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any] else {
            throw ImportLineError("It is no object of JSON.")
        }
        var fields: [String: String] = [:]
        for (name, value) in members {
            guard ImportFile.columns.contains(name) else {
                let known = ImportFile.columns.joined(separator: ", ")
                throw ImportLineError("There is no member '\(name.shown)'. The members are: \(known).")
            }
            guard let text = text(value, of: name) else { throw ImportLineError("\(name) has another type.") }
            if !text.isEmpty { fields[name] = text }
        }
        return fields
    }

    /// The text of a member, empty for `null`; `nil` for another type. Keycloak's hash is an object.
    private static func text(_ value: Any, of name: String) -> String? {
        switch value {
        case let text as String: return text
        case is NSNull: return ""
        case let object as [String: Any] where name == "password_hash":
            return (try? JSONSerialization.data(withJSONObject: object)).map { String(decoding: $0, as: UTF8.self) }
        case let truth as Bool where name == "email_verified" || name == "administrator":
            return truth ? "true" : "false"
        default: return nil
        }
    }
}
