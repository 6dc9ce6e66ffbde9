internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension EnvironmentCommand {
    /// `countersign admin environment add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an environment; it is given its secret, once.",
            discussion: """
                The customer's server opens requests with the identifier and the secret. The environment is a client of \
                this server as well: the same identifier and secret work at /bc-authorize.

                Examples:
                  countersign admin environment add "My Bank" --webhook https://bank.example.com/decided
                  countersign admin environment add "My Bank" --text-prefix +31 --texts-per-day 500
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "The name that people read on their devices.")
        var name: String

        @OptionGroup var facts: EnvironmentFacts

        func run() async throws {
            try await ending {
                let missing = try await creation.allowed(in: admin.storage)
                let name = try EnvironmentFacts.checked(name)
                let (environment, secret) = try await admin.withStore(whenMissing: missing) { [facts] store in
                    try await store.environmentRegister.add(named: name) { try facts.apply(to: &$0) }
                }
                try admin.print(
                    ShownEnvironment(environment, secret: secret),
                    or: """
                        Added the environment \(environment.name).
                        Its identifier: \(environment.id)
                        Its secret, which is shown only now: \(secret.revealed)
                        """
                )
            }
        }
    }

    /// `countersign admin environment change`
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change an environment; what is not named stays as it is."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedEnvironment

        @Option(name: .long, help: "The name that people read on their devices.")
        var name: String?

        @OptionGroup var facts: EnvironmentFacts

        func run() async throws {
            try await ending {
                let name = try name.map(EnvironmentFacts.checked)
                let changed = try await admin.withStore { [named, facts] store in
                    try await store.environmentRegister.change(try named.environment) { environment in
                        if let name { environment.name = name }
                        try facts.apply(to: &environment)
                    }
                }
                guard let (environment, isChanged) = changed else { throw named.isMissing }
                let words =
                    isChanged
                    ? "Changed the environment \(environment.id)."
                    : "The environment \(environment.id) stays as it was: nothing is different."
                try admin.print(ShownEnvironment(environment), or: words)
            }
        }
    }
}

/// The options that describe an environment: shared by `environment add` and `environment change`.
struct EnvironmentFacts: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The https address of its picture; empty for none.", valueName: "url"))
    var icon: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Where the customer's server is told of decisions; empty for nowhere.", valueName: "url"))
    var webhook: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Whether devices of the older dialect may answer: yes or no. (default: no)", valueName: "yes|no"))
    var olderDevices: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Numbers that begin so get texts. Repeatable; one that is empty lets every number get them.",
            valueName: "+31"
        )
    )
    var textPrefix: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The most texts in 24 hours, or unlimited. (default: 1000)", valueName: "number"))
    var textsPerDay: String?

    /// Writes the options that were given into `environment`.
    ///
    /// - Throws: a ``Failure`` for one that cannot be.
    func apply(to environment: inout AuthenticatorEnvironment) throws {
        if let icon {
            guard
                icon.isEmpty || (icon.hasPrefix("https://") && icon.utf8.count <= 2048 && (try? Endpoint(icon)) != nil)
            else { throw Failure("--icon is no https address.", status: .usage) }
            environment.iconURL = icon.isEmpty ? nil : icon
        }
        if let webhook {
            if !webhook.isEmpty, let objection = NotificationAddress.objection(to: webhook, isSelfRegistered: false) {
                throw Failure("--webhook \(webhook): \(objection)", status: .usage)
            }
            environment.webhook = webhook.isEmpty ? nil : webhook
        }
        switch olderDevices {
        case nil: break
        case "yes": environment.allowsLegacyDevices = true
        case "no": environment.allowsLegacyDevices = false
        default: throw Failure("--older-devices is yes or no.", status: .usage)
        }
        if !textPrefix.isEmpty { environment.texts.prefixes = try prefixes() }
        switch textsPerDay {
        case nil: break
        case "unlimited": environment.texts.perDay = nil
        case let text?:
            guard let number = Int(text), (0...10_000_000).contains(number) else {
                throw Failure("--texts-per-day is a number from 0 to 10000000, or unlimited.", status: .usage)
            }
            environment.texts.perDay = number
        }
    }

    private func prefixes() throws -> [String] {
        try textPrefix.filter { !$0.isEmpty }.map { prefix in
            let digits = prefix.dropFirst().utf8
            guard prefix.hasPrefix("+"), (1...15).contains(digits.count),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { throw Failure("--text-prefix is + and digits, such as +31.", status: .usage) }
            return prefix
        }
    }

    /// A name that people can read.
    ///
    /// - Throws: a ``Failure``.
    static func checked(_ name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...256).contains(name.utf8.count) else {
            throw Failure("A name has 1 to 256 bytes.", status: .usage)
        }
        return name
    }
}
