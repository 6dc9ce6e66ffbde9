internal import Countersign
internal import CountersignServer

/// A person of an imported file.
struct ImportedPerson: Sendable, Equatable {
    enum Secret: Sendable, Equatable {
        /// A person who signs in otherwise, or whose password comes later.
        case none
        case hash(PasswordHash)
        case password(Password)
    }

    let username: Username
    let name: String?
    let email: String?
    /// Whether the address is known to be theirs, so that they may sign in by it.
    let isEmailVerified: Bool
    var secret: Secret
    let subject: Subject?
    let isAdministrator: Bool?
    let standing: Policy.Standing?
    /// The groups and further facts.
    let extras: ImportExtras

    /// Reads the fields of a line.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - extras: The groups and further facts; none by default.
    ///   - isVouchedFor: Whether the address is verified where the fields do not say it.
    /// - Throws: ``ImportLineError`` with the first reason to refuse it.
    init(
        _ fields: [String: String], with extras: ImportExtras = ImportExtras(), vouching isVouchedFor: Bool
    ) throws(ImportLineError) {
        self.extras = extras
        guard let typed = fields["username"] else { throw ImportLineError("username is missing.") }
        guard let username = Username(parsing: typed) else {
            throw ImportLineError("username has 1 to 64 letters, digits and . _ - @ +, or is an e-mail address.")
        }
        self.username = username
        name = try Self.name(fields["name"])
        email = try Self.address(fields["email"])
        isEmailVerified = try Self.truth("email_verified", in: fields) ?? isVouchedFor
        secret = try Self.secret(in: fields)
        subject = try Self.subject(fields["subject"])
        isAdministrator = try Self.truth("administrator", in: fields)
        standing = try Self.standing(fields["standing"])
    }

    private static func name(_ text: String?) throws(ImportLineError) -> String? {
        guard let text else { return nil }
        guard let shown = DisplayName(parsing: text) else {
            throw ImportLineError("name is the name that people see, in one line of 1 to \(DisplayName.longest) bytes.")
        }
        return shown.text
    }

    private static func address(_ text: String?) throws(ImportLineError) -> String? {
        guard let text else { return nil }
        guard let address = EmailAddress(parsing: text) else {
            throw ImportLineError("email is no e-mail address, as in anna@example.org.")
        }
        return address.rawValue
    }

    private static func truth(_ name: String, in fields: [String: String]) throws(ImportLineError) -> Bool? {
        guard let word = fields[name] else { return nil }
        guard let truth = Bool(word: word) else { throw ImportLineError("\(name) is true or false.") }
        return truth
    }

    private static func secret(in fields: [String: String]) throws(ImportLineError) -> Secret {
        switch (fields["password_hash"], fields["password"]) {
        case (nil, nil): return .none
        case (.some, .some): throw ImportLineError("It has password_hash and password; one of them is enough.")
        case (let hash?, nil):
            do {
                return .hash(try PasswordHash(imported: hash))
            } catch {
                let reason =
                    switch error {
                    case .unknownForm: "password_hash has a form that is not known."
                    case .malformed: "password_hash is damaged: a part is missing, or has another length."
                    case .tooCostly: "password_hash would cost the server too much time or memory."
                    }
                throw ImportLineError(reason)
            }
        case (nil, let password?):
            guard password.unicodeScalars.count >= PasswordRule.shortest, password.utf8.count <= PasswordRule.longest
            else {
                throw ImportLineError(
                    "password has \(PasswordRule.shortest) characters to \(PasswordRule.longest) bytes.")
            }
            return .password(Password(revealing: password))
        }
    }

    /// Standard: OpenID Connect Core 1.0 §2 (`sub`).
    private static func subject(_ text: String?) throws(ImportLineError) -> Subject? {
        guard let text else { return nil }
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ImportLineError("subject has at most 255 characters of ASCII, without spaces.")
        }
        return Subject(text)
    }

    private static func standing(_ text: String?) throws(ImportLineError) -> Policy.Standing? {
        switch text?.lowercased() {
        case nil: nil
        case "active": .active
        case "locked": .locked
        default: throw ImportLineError("standing is active or locked.")
        }
    }
}
