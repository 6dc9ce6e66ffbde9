internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ClientCommand {
    /// `countersign admin client change`
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a client; what is not named stays as it is.",
            discussion: """
                Codes, refresh tokens and access tokens are worth no more from then on than the client may have.

                Examples:
                  countersign admin client change tv --name "Kitchen TV"
                  countersign admin client change backend --scope "reports.read reports.write"
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedClient
        @OptionGroup var keyFile: ClientKeyFile
        @OptionGroup var certificate: ClientCertificateOptions
        @OptionGroup var facts: ClientFacts

        func run() async throws {
            try await ending {
                let keys = try keyFile.read()
                let certificate = try certificate.read()
                let (client, isChanged) = try await named.refusing { [named, facts] in
                    try await admin.withStore { store in
                        try await store.clientRegistry.change(named.client) { client in
                            if let certificate {
                                client.kind = .certificate(certificate, signing: keys ?? client.signingKeys)
                            } else if let keys {
                                client.kind = .keys(keys)
                            }
                            try facts.apply(to: &client)
                        }
                    }
                }
                let words =
                    isChanged
                    ? "Changed the client \(client.id)."
                    : "The client \(client.id) stays as it was: nothing is different."
                try admin.print(ShownClient(client), or: words)
            }
        }
    }

    /// `countersign admin client secret`
    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a client a new secret; the old one is accepted for a day, or as long as you say.",
            discussion: """
                While both secrets are accepted, install the new one wherever the client runs. A secret that may be in \
                the wrong hands is replaced by --at-once. Only one old secret is accepted: a second renewal ends the \
                first one's.

                Examples:
                  countersign admin client secret backend
                  countersign admin client secret backend --keep-old 7d
                  countersign admin client secret backend --at-once
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedClient

        @OptionGroup var keeping: KeptSecret

        func run() async throws {
            try await ending {
                let span = try keeping.span()
                let (client, secret) = try await named.refusing { [named] in
                    try await admin.withStore { store in
                        try await store.clientRegistry.renewSecret(of: named.client, keepingOldFor: span)
                    }
                }
                let shown = ShownClient(client, secret: secret)
                let old =
                    shown.oldSecretEnds.map { "The old one is accepted until \($0.formatted(.iso8601))." }
                    ?? "The old one is not accepted any more."
                try admin.print(
                    shown,
                    or: """
                        The new secret of \(client.id), which is shown only now: \(secret.revealed)
                        \(old)
                        """
                )
            }
        }
    }
}

/// The client that a command is about.
struct NamedClient: ParsableArguments {
    @Argument(help: "The client's identifier.")
    var id: String

    var client: ClientID { ClientID(id) }

    var isMissing: Failure { Failure("There is no client \(id).") }

    /// The result of `body`.
    ///
    /// - Throws: a ``Failure`` that says why the client is not changed.
    func refusing<Value>(_ body: () async throws -> Value?) async throws -> Value {
        do {
            guard let value = try await body() else { throw isMissing }
            return value
        } catch ClientRegistry.Refused.isDevice {
            throw Failure("\(id) is an app on a device that registered itself, and cannot be changed.")
        } catch ClientRegistry.Refused.isSelfRegistered {
            throw Failure("\(id) registered itself: it changes its own registration. You can remove it.")
        } catch ClientRegistry.Refused.isPublic {
            throw Failure("The client \(id) is public: it has no secret.")
        } catch ClientRegistry.Refused.unfit(let sentence) {
            throw Failure("\(sentence)", status: .usage)
        } catch ClientRegistry.Refused.isEnvironment {
            throw Failure("\(id) is an environment: use countersign admin environment secret \(id).")
        } catch ClientRegistry.Refused.hasKeys {
            throw Failure("The client \(id) authenticates by its keys or its certificate: it has no secret.")
        }
    }
}

/// A span of time as people type it: `90s`, `15m`, `24h`, `7d`.
struct TimeSpan: Sendable, Equatable {
    let seconds: TimeInterval

    /// - Parameter text: A whole number and its unit; `nil` for anything else.
    init?(parsing text: String) {
        let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), !digits.isEmpty, digits.count <= 9,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits)
        else { return nil }
        seconds = TimeInterval(number) * unit
    }
}
