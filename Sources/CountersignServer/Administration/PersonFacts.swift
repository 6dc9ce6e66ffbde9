internal import Countersign
internal import CountersignWire

/// The records about one person, for administrators.
struct PersonFacts: Sendable {
    let person: Person
    let devices: [EnrolledDevice]
    let browsers: [BrowserSession]
    /// The sign-ins of screens and apps, the latest first, with the names of their clients.
    let signIns: [(record: SignInRecord, client: String)]
    let passkeys: [PasskeyRecord]
    let oneTimePasswords: OneTimePasswordRecord?
    let recoveryCodesLeft: Int
    let groups: [GroupName]
    /// The clients that the person muted, the latest first, with their names.
    let mutes: [(mute: Mute, client: String)]

    /// The maximum number of sign-ins, browsers and mutes that are shown.
    private static let most = 50

    init(of person: Person, in repositories: any Repositories) throws {
        self.person = person
        let subject = person.subject
        devices = try repositories.devices.all(of: subject)
        browsers = Array(try repositories.browserSessions.all(of: subject).prefix(Self.most))
        func name(of client: ClientID) throws -> String {
            try repositories.clients.find(client)?.shownName ?? client.rawValue
        }
        signIns = try repositories.signIns.all(of: subject).prefix(Self.most).map { record in
            (record, try name(of: record.grant.client))
        }
        mutes = try repositories.mutes.all(of: subject).prefix(Self.most).map { mute in
            (mute, try name(of: mute.client))
        }
        passkeys = try repositories.passkeys.all(of: subject)
        oneTimePasswords = try repositories.oneTimePasswords.find(subject)
        recoveryCodesLeft = try repositories.recoveryCodes.find(subject)?.count ?? 0
        groups = try Groups(repositories).names(of: subject).sorted { $0.rawValue < $1.rawValue }
    }
}
