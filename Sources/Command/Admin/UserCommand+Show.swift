internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

extension UserCommand {
    /// `countersign admin user show`
    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Show a person: facts, groups, factors, devices, sessions and consents, and no secrets.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        func output() async throws -> CommandOutput {
            let now = TimeSource.system.now()
            let shown = try await admin.read { [who] repositories in
                try PersonDescription(of: try who.find(in: repositories), in: repositories, at: now)
            }
            return CommandOutput(shown.members, OutputTable.lines(shown.details))
        }
    }
}

/// A person with everything that belongs to them, without secrets.
private struct PersonDescription: Sendable {
    let person: Person
    let groups: [GroupName]
    let factors: PersonFactors
    let numbers: [PhoneNumberRecord]
    let devices: [PersonDevice]
    /// The number of browsers that are signed in.
    let sessions: Int
    let signIns: [SignInRecord]
    let consents: [Consent]
    let identities: [LinkedIdentity]
    let mutes: [Mute]

    init(of person: Person, in repositories: any Repositories, at now: Date) throws {
        let subject = person.subject
        self.person = person
        groups = try Groups(repositories).names(of: subject).sorted { $0.rawValue < $1.rawValue }
        factors = try PersonFactors(of: person, in: repositories)
        numbers = try repositories.phoneNumbers.all(of: subject)
        devices = try PersonDevice.all(of: person, in: repositories)
        sessions = try repositories.browserSessions.all(of: subject).filter { now < $0.expires }.count
        signIns = try repositories.signIns.all(of: subject).filter { $0.isLive(at: now) }
        consents = try repositories.consents.all(of: subject)
        identities = try repositories.identities.all(of: subject)
        mutes = try repositories.mutes.all(of: subject)
    }

    var details: KeyValuePairs<String, String> {
        [
            "username": person.username.rawValue, "name": person.name, "e-mail": email,
            "standing": person.standing.rawValue, "rights": person.administrativeRole ?? "none",
            "subject": person.subject.rawValue, "created": person.created.formatted(.iso8601),
            "changed": person.profile.updated?.formatted(.iso8601) ?? "never",
            "locale": person.profile.locale ?? "none", "zoneinfo": person.profile.zoneInfo ?? "none",
            "attributes": Self.list(attributes), "groups": Self.list(groups.map(\.rawValue)),
            "numbers": Self.list(numbers.map(\.number.text)), "password": password,
            "passkeys": Self.list(factors.passkeys.map(\.name)), "one-time passwords": oneTimePasswords,
            "devices": Self.list(devices.map { $0.device.details.name ?? $0.device.id.rawValue }),
            "browsers signed in": "\(sessions)", "apps signed in": Self.list(clients(of: signIns.map(\.grant.client))),
            "consents": Self.list(clients(of: consents.map(\.client))),
            "other providers": Self.list(identities.map(\.issuer.rawValue)),
            "muted": Self.list(clients(of: mutes.map(\.client))),
        ]
    }

    var members: OutputMembers {
        let signInMembers = signIns.map { signIn -> OutputMembers in
            ["client": signIn.grant.client.rawValue, "signed_in": signIn.signedIn, "last_used": signIn.lastUsed]
        }
        let consentMembers = consents.map { consent -> OutputMembers in
            ["client": consent.client.rawValue, "scope": consent.scope.description, "given": consent.given]
        }
        let belongings: OutputMembers = [
            "updated": person.profile.updated, "groups": groups.map(\.rawValue), "numbers": numbers.map(\.members),
            "password": person.password != nil, "password_changed": person.passwordChanged,
            "devices": devices.map(\.members), "browser_sessions": sessions, "sign_ins": signInMembers,
            "consents": consentMembers,
            "identities": identities.map { identity -> OutputMembers in
                ["issuer": identity.issuer.rawValue, "subject": identity.subject, "linked": identity.linked]
            },
            "mutes": mutes.map(\.client.rawValue),
        ]
        return person.members.merging(factors.members).merging(belongings)
    }

    private var email: String {
        person.email.map { "\($0) (\(person.isEmailVerified ? "verified" : "not verified"))" } ?? "none"
    }

    private var attributes: [String] {
        person.profile.attributes.map { "\($0.key)=\($0.value)" }.sorted()
    }

    private var password: String {
        guard person.password != nil else { return "none" }
        return person.passwordChanged.map { "changed \($0.formatted(.iso8601))" } ?? "set"
    }

    private var oneTimePasswords: String {
        factors.hasOneTimePasswords ? "set up, \(factors.recoveryCodesLeft) recovery codes left" : "none"
    }

    /// The names of clients, each once.
    private func clients(of ids: [ClientID]) -> [String] { Set(ids.map(\.rawValue)).sorted() }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
