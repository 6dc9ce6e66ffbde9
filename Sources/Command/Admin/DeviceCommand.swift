internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin device`: the devices that answer requests.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List and revoke the devices that answer requests for people.",
        subcommands: [OwnedListCommand<PersonDevice>.self, Revoke.self]
    )

    /// `countersign admin device revoke`
    struct Revoke: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a device: it answers nothing any more, and its app is signed out.",
            discussion: """
                Example:
                  countersign admin device revoke 3nJxQe0cR2m5T7p1Yw8LkA
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<PersonDevice>
        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            let found = try await admin.read { [named] repositories in
                try repositories.devices.find(try named.id).map { try PersonDevice($0, in: repositories) }
            }
            guard let found else { throw named.isMissing }
            let name = found.device.details.name.map { " \"\($0)\"" } ?? ""
            let holder = found.person.map { " of \($0.username)" } ?? ""
            return Loss("the device \(found.device.id)\(name)\(holder)", by: "Revokes")
                .and(found.environments.count, "enrolment")
        }

        func confirmedOutput() async throws -> CommandOutput {
            let (now, mint) = (TimeSource.system.now(), CodeMint(drawingFrom: .system))
            let id = try named.id
            try await admin.change { [named] repositories in
                guard let device = try repositories.devices.find(id) else { throw named.isMissing }
                try Revocation(repositories).revoke(device, as: .operator, by: mint, at: now)
            }
            return CommandOutput(["revoked": id.rawValue], "Revoked \(id).")
        }
    }
}

/// A device, the person for whom it answers, and the sites in which it is enrolled.
struct PersonDevice: OwnedNoun, IdentifiableNoun {
    let device: EnrolledDevice
    let person: Person?
    let environments: [DeviceCustomerSite]

    init(_ device: EnrolledDevice, in repositories: any Repositories) throws {
        self.device = device
        person = try device.subject.flatMap { try repositories.people.find($0) }
        environments = try repositories.devices.enrollments(of: device.id)
    }

    static let word = "device"
    static let listAbstract = "List the devices of all people, or of one."
    static let none = "No devices."
    static var argument: ArgumentHelp { ArgumentHelp("The device, as the list shows it.", valueName: "id") }

    static var columns: Columns<Self> {
        [
            "id": \.device.id.rawValue, "person": \.person?.username.rawValue, "name": \.device.details.name,
            "model": \.device.details.model, "dialect": \.device.dialect.rawValue,
            "number": \.device.phoneNumber?.text, "added": { $0.device.created.formatted(.iso8601) },
            "last seen": { $0.device.lastSeen.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        [
            "id": device.id.rawValue, "person": person?.username.rawValue, "name": device.details.name,
            "model": device.details.model, "platform": device.details.platform, "dialect": device.dialect.rawValue,
            "status": device.status.rawValue, "number": device.phoneNumber?.text,
            "environments": environments.map(\.environment.rawValue), "added": device.created,
            "seen": device.lastSeen,
        ]
    }

    static func identifier(_ text: String) -> DeviceRegistration.ID? { DeviceRegistration.ID(text) }

    static func all(of person: Person?, in repositories: any Repositories) throws -> [Self] {
        let devices = try person.map { try repositories.devices.all(of: $0.subject) } ?? repositories.devices.all()
        return try devices.map { try PersonDevice($0, in: repositories) }
    }
}
