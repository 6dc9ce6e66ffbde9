internal import Countersign
internal import CountersignServer
internal import Foundation

/// The people of a directory.
///
/// Standard: RFC 4519 (`uid`, `cn`), RFC 4524 (`mail`), RFC 2798 (`displayName`, `preferredLanguage`), RFC 2307
/// (`userPassword`).
enum LDIFPeople {
    /// The people, and the number of entries that are none.
    static func records(of bytes: [UInt8]) -> ([ImportRecord], skipped: Int) {
        var reader = LDIFReader(bytes)
        var records: [ImportRecord] = []
        var skipped = 0
        while let entry = reader.next() {
            let result = entry.attributes.flatMap { attributes in
                Result { () throws(ImportLineError) in try Directory(attributes).record(line: entry.line) }
            }
            switch result {
            case .success(let record?): records.append(record)
            case .success(nil): skipped += 1
            case .failure(let error): records.append(ImportRecord(line: entry.line, fields: .failure(error)))
            }
        }
        return (records, skipped)
    }

    /// The attributes that come along under their names.
    private static let attributes = [
        "givenName", "sn", "title", "employeeNumber", "employeeType", "departmentNumber", "o", "ou", "l",
        "telephoneNumber", "mobile",
    ]
    /// The classes of objects that are people.
    private static let classes: Set = ["person", "organizationalperson", "inetorgperson", "account", "posixaccount"]

    /// An entry of the directory.
    private struct Directory {
        private let values: [String: [LDIFReader.Value]]

        init(_ attributes: [LDIFReader.Attribute]) {
            values = Dictionary(grouping: attributes, by: \.name).mapValues { $0.map(\.value) }
        }

        /// The record; `nil` for an entry that is no person.
        func record(line: Int) throws(ImportLineError) -> ImportRecord? {
            let classes = try texts("objectClass").map { $0.lowercased() }
            guard values["uid"] != nil || classes.contains(where: LDIFPeople.classes.contains) else { return nil }
            guard let uid = try texts("uid").first else { throw ImportLineError("uid is missing.") }
            var person = ForeignPerson()
            person.set("username", uid)
            let names = try texts("displayName") + texts("cn")
            person.set("name", names.first)
            person.set("email", try texts("mail").first)
            if let languages = try texts("preferredLanguage").first {
                person.extras.add(attribute: "locale", String(languages.prefix { $0 != "," && $0 != ";" }))
            }
            for name in LDIFPeople.attributes {
                person.extras.add(attribute: name, try texts(name).joined(separator: ", "))
            }
            for group in try texts("memberOf") { person.extras.add(group: try LDIFPeople.name(in: group)) }
            person.set("standing", try isLocked ? "locked" : nil)
            let passwords = try texts("userPassword")
            if !passwords.isEmpty, try isTrue("pwdReset") {
                person.noteTemporaryPassword()
            } else {
                take(passwords, of: &person)
            }
            return person.record(line: line)
        }

        /// Whether an administrator of the directory locked the account. A lock after wrong passwords, which has a
        /// time, is over sooner or later.
        ///
        /// Standard: draft-behera-ldap-password-policy-11 §5.3.3; 389 Directory Server (`nsAccountLock`); Active
        /// Directory (`userAccountControl`, `ADS_UF_ACCOUNTDISABLE`).
        private var isLocked: Bool {
            get throws(ImportLineError) {
                let locks = try texts("pwdAccountLockedTime")
                let flags = try texts("userAccountControl").compactMap { Int64($0) }
                let isOff = try isTrue("nsAccountLock")
                return isOff || locks.contains("000001010000Z") || flags.contains { $0 & 2 != 0 }
            }
        }

        private func isTrue(_ name: String) throws(ImportLineError) -> Bool {
            try texts(name).contains { $0.lowercased() == "true" }
        }

        private func texts(_ name: String) throws(ImportLineError) -> [String] {
            var texts: [String] = []
            for value in values[name.lowercased()] ?? [] {
                guard let text = value.text else {
                    let reason = value == .address ? "is in another file." : "is no text in UTF-8 or Base64."
                    throw ImportLineError("\(name) \(reason)")
                }
                texts.append(text)
            }
            return texts
        }

        /// Takes the first password that the server verifies, and otherwise notes them.
        private func take(_ passwords: [String], of person: inout ForeignPerson) {
            let known = passwords.first { LDIFPeople.hash($0).text.flatMap { try? PasswordHash(imported: $0) } != nil }
            guard let password = known ?? passwords.first else { return }
            let (scheme, text) = LDIFPeople.hash(password)
            person.take(hash: text ?? "", called: scheme)
        }
    }

    /// The scheme of a `userPassword`, and the hash in a form that is read; `nil` for another scheme.
    private static func hash(_ value: String) -> (scheme: String, text: String?) {
        guard value.hasPrefix("{"), let end = value.firstIndex(of: "}") else { return ("in the clear", nil) }
        let scheme = value[...end].uppercased()
        let rest = String(value[value.index(after: end)...])
        return switch scheme {
        case "{CRYPT}", "{ARGON2}": (scheme, rest)
        case "{PBKDF2}", "{PBKDF2-SHA1}": (scheme, "$pbkdf2$\(rest)")
        case "{PBKDF2-SHA256}", "{PBKDF2-SHA512}": (scheme, "$\(scheme.dropFirst().dropLast().lowercased())$\(rest)")
        default: (scheme, nil)
        }
    }

    /// The first value of a distinguished name. Standard: RFC 4514 §3.
    private static func name(in distinguishedName: String) throws(ImportLineError) -> String {
        let bytes = Array(distinguishedName.utf8)
        guard var place = bytes.firstIndex(of: UInt8(ascii: "=")).map({ $0 + 1 }) else {
            throw ImportLineError("memberOf is no distinguished name.")
        }
        var value: [UInt8] = []
        while place < bytes.count, ![UInt8(ascii: ","), UInt8(ascii: "+")].contains(bytes[place]) {
            if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
                place += 1
                let pair = String(decoding: bytes[place...].prefix(2), as: UTF8.self)
                if pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let escaped = UInt8(pair, radix: 16) {
                    value.append(escaped)
                    place += 2
                    continue
                }
            }
            value.append(bytes[place])
            place += 1
        }
        return TypedText.trimmed(String(decoding: value, as: UTF8.self))
    }
}
