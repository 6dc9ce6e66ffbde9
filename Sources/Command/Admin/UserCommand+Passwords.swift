internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation
internal import NIOPosix

extension UserCommand {
    /// `countersign admin user add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Add a person; their password is the first line of standard input.",
            discussion: """
                Example:
                  echo "correct horse battery" | countersign admin user add anna --name "Anna Example"
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "The name by which the person signs in.")
        var username: String

        @Option(help: "The name that is shown. (default: the user name)")
        var name: String?

        @Option(help: "Their e-mail address, which you know to be theirs: they may sign in by it.")
        var email: String?

        @Flag(help: "Make them an operator, who may do everything at /admin.")
        var administrator = false

        func output() async throws -> CommandOutput {
            let username = try Username(parsing: username).or(
                usage: "A user name has 1 to 64 letters, digits and . _ - @ +, or is an e-mail address.")
            let name = try name.map { try UserFacts.name($0) }
            let email = try email.map { try UserFacts.email($0).rawValue }
            let missing = try await creation.allowed(in: admin.storage)
            let person = Person(
                subject: CodeMint(drawingFrom: .system).identifier(),
                username: username,
                name: name ?? username.rawValue,
                email: email,
                isEmailVerified: email != nil,
                password: try await NewPassword.read(avoiding: [username.rawValue, name, email]),
                role: administrator ? .operator : .user,
                created: TimeSource.system.now()
            )
            do {
                try await admin.change(whenMissing: missing) { repositories in
                    try People(repositories).add(person, as: .operator)
                }
            } catch StoreError.alreadyExists {
                throw CommandError("There is somebody called \(username) already.")
            } catch let taken as People.AddressTakenError {
                throw CommandError("\(taken)")
            }
            return CommandOutput(person.members, "Added \(username).")
        }
    }

    /// `countersign admin user password`
    struct ChangePassword: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Set a person's password to the first line of standard input, and sign their browsers out."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        func output() async throws -> CommandOutput {
            let named = try await admin.read { [who] in try who.find(in: $0) }
            let password = try await NewPassword.read(avoiding: named.knownWords)
            let now = TimeSource.system.now()
            let notices = try await admin.storage.accountNotices()
            let person = try await who.change(admin, auditing: .passwordChanged) { person, repositories in
                person.changePassword(to: password, at: now)
                try repositories.people.update(person)
                try notices.tell(.passwordChanged, to: person.subject, at: now, in: repositories)
                try Approvals(repositories).cancelAll(of: person.subject, at: now)
                try Sessions(repositories).endAll(of: person.subject, at: now)
            }
            return CommandOutput(person.members, "Changed the password of \(person.username).")
        }
    }
}

/// A password that an operator gives on standard input.
enum NewPassword {
    /// Reads a password that follows the rule for new passwords, and hashes it.
    ///
    /// - Parameter known: What others know of the person; `nil` for an unknown name.
    /// - Throws: a ``CommandError`` for no password, or one that breaks the rule.
    static func read(avoiding known: [String?]) async throws -> PasswordHash {
        let line = try Terminal.readSecret(asking: "Password: ") ?? ""
        do throws(PasswordRuleError) {
            try PasswordRule(avoiding: known).verify(Password(revealing: line))
        } catch {
            throw CommandError(words(of: error))
        }
        if Terminal.givesInput, try Terminal.readSecret(asking: "The same again: ") != line {
            throw CommandError("The two passwords are not the same, so nothing was changed. Try again.")
        }
        let hasher = PasswordHasher(cost: .standard, drawingFrom: .system, on: .singleton)
        return try await hasher.hash(Password(revealing: line))
    }

    private static func words(of objection: PasswordRuleError) -> String {
        switch objection {
        case .tooShort, .tooLong:
            "A password comes as one line on standard input and has \(PasswordRule.shortest) to "
                + "\(PasswordRule.longest) characters."
        case .common: "That password, or one much like it, is among the first that others try. Take another one."
        case .known: "That password is little more than a name or an address that others know. Take another one."
        }
    }
}
