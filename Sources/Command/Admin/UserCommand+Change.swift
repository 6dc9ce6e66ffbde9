internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

extension UserCommand {
    /// `countersign admin user change`
    struct Change: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Change what apps learn of a person; what is not named stays as it is.",
            discussion: """
                An empty text takes a fact away. Attributes reach apps by claims: see 'admin claim add'.

                Examples:
                  countersign admin user change anna --name "Anna Example" --locale de-AT --zoneinfo Europe/Vienna
                  countersign admin user change anna --attribute department=Sales --attribute room=
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Option(help: "The name that is shown.")
        var name: String?

        @Option(help: "Their e-mail address, which you know to be theirs: they may sign in by it.")
        var email: String?

        @Option(help: "Their language, as in de-AT.")
        var locale: String?

        @Option(help: "Their time zone, as in Europe/Vienna.")
        var zoneinfo: String?

        @Option(help: ArgumentHelp("An attribute of your own. Repeatable.", valueName: "name=value"))
        var attribute: [String] = []

        func output() async throws -> CommandOutput {
            guard [name, email, locale, zoneinfo] != [nil, nil, nil, nil] || !attribute.isEmpty else {
                throw CommandError.usage(
                    "Say what to change: --name, --email, --locale, --zoneinfo or --attribute.")
            }
            let name = try name.map { try UserFacts.name($0) }
            let email = try email.map { try $0.isEmpty ? nil : UserFacts.email($0).rawValue }
            if let locale, !locale.isEmpty, !locale.isPlainName(upTo: 35, with: "-") {
                throw CommandError.usage("--locale is the tag of a language, as in de-AT; not \(locale).")
            }
            if let zoneinfo, !zoneinfo.isEmpty, TimeZone(named: zoneinfo) == nil {
                throw CommandError.usage("--zoneinfo is a time zone, as in Europe/Vienna; not \(zoneinfo).")
            }
            let attributes = try attribute.map { try UserFacts.attribute($0) }
            let now = TimeSource.system.now()
            let person = try await who.change(admin, auditing: .personChanged) {
                [locale, zoneinfo] person, repositories in
                let earlier = person
                if let name { person.name = name }
                if let email { person.changeEmail(to: email, isVerified: true) }
                if let locale { person.profile.locale = locale.isEmpty ? nil : locale }
                if let zoneinfo { person.profile.zoneInfo = zoneinfo.isEmpty ? nil : zoneinfo }
                for (name, value) in attributes { person.profile.attributes[name] = value.isEmpty ? nil : value }
                guard person.profile.attributes.count <= PersonProfile.mostAttributes else {
                    throw CommandError("A person has at most \(PersonProfile.mostAttributes) attributes.")
                }
                person.profile.updated = now
                try People(repositories).update(person, from: earlier)
            }
            return CommandOutput(person.members, "Changed \(person.username).")
        }
    }
}

/// The facts about people as operators type them, each in one form.
enum UserFacts {
    /// - Throws: a ``CommandError`` for a name that is empty or has more than one line.
    static func name(_ text: String) throws -> String {
        let shown = TypedText.trimmed(text)
        guard !shown.isEmpty, !shown.unicodeScalars.contains(where: \.isUnsafeInName) else {
            throw CommandError.usage("--name is the name that people see, in one line; it is not empty.")
        }
        return shown
    }

    /// - Throws: a ``CommandError`` for what is no address.
    static func email(_ text: String) throws -> EmailAddress {
        try EmailAddress(parsing: text).or(usage: "\(text) is no e-mail address, as in anna@example.org.")
    }

    /// - Throws: a ``CommandError`` for what is no attribute with its value.
    static func attribute(_ text: String) throws -> (AttributeName, String) {
        guard let named = NamedValue(parsing: text), let name = AttributeName(parsing: named.name),
            named.value.isLine(of: 0...PersonProfile.longestValue)
        else {
            throw CommandError.usage("--attribute takes a name and a value, as in department=Sales; not \(text).")
        }
        return (name, named.value)
    }
}
