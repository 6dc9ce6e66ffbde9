internal import ArgumentParser
internal import CountersignServer
internal import Foundation

/// A noun with a secret, which is printed when it is made.
protocol RenewableNoun: DescribableNoun {
    /// The member of the JSON that holds the secret.
    static var secretMember: String { get }
    /// The help of the command that renews it.
    static var renewal: CommandConfiguration { get }
    /// The end of the time for which the secret before the current one is accepted.
    var oldSecretEnds: Date? { get }

    static func renewSecret(
        of named: NounArgument<Self>,
        keepingOldFor span: TimeInterval,
        in store: any Store
    ) async throws -> (Self, secret: String)?
}

/// `countersign admin NOUN secret`
struct SecretCommand<Noun: RenewableNoun>: DestructiveAction {
    static var configuration: CommandConfiguration { Noun.renewal }

    @OptionGroup var admin: AdminOptions
    @OptionGroup var named: NounArgument<Noun>
    @OptionGroup var keeping: SecretOverlap
    @OptionGroup var confirmation: ConfirmationOption

    func loss() async throws -> Loss? {
        guard try keeping.span() == 0 else { return nil }
        let found = try await admin.withStore { try await Noun.find(try named.id, in: $0) }
        guard found != nil else { throw named.isMissing }
        return Loss("the present secret of \(named.text)", by: "Ends")
    }

    func confirmedOutput() async throws -> CommandOutput {
        let span = try keeping.span()
        let renewed = try await admin.withStore { try await Noun.renewSecret(of: named, keepingOldFor: span, in: $0) }
        guard let (holder, secret) = renewed else { throw named.isMissing }
        let old =
            holder.oldSecretEnds.map { "The old one is accepted until \($0.formatted(.iso8601))." }
            ?? "The old one is not accepted any more."
        return CommandOutput(
            holder.members.adding(Noun.secretMember, secret),
            "The new secret of \(try named.id), which is shown only now: \(secret)\n\(old)"
        )
    }
}
