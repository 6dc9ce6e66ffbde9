internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension UserCommand {
    /// `countersign admin user device`
    struct Device: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List and revoke the devices that answer requests for a person.",
            subcommands: [PersonListCommand<UserDevice>.self, Revoke.self]
        )

        /// `countersign admin user device revoke`
        struct Revoke: AdminAction {
            static let configuration = CommandConfiguration(
                abstract: "Revoke a device: it answers nothing any more, and its app is signed out.",
                discussion: """
                    Example:
                      countersign admin user device revoke anna 3nJxQe0cR2m5T7p1Yw8LkA
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: PersonArgument
            @Argument(help: "The device, as 'device list' names it.")
            var id: String

            func output() async throws -> CommandOutput {
                let named = DeviceRegistration.ID(id)
                let (now, mint) = (TimeSource.system.now(), CodeMint(drawingFrom: .system))
                try await admin.change { [who] repositories in
                    let person = try who.find(in: repositories)
                    guard let device = try repositories.devices.find(named), device.subject == person.subject else {
                        throw CommandError("\(who.username) has no device \(named).")
                    }
                    try Revocation(repositories).remove(device, askedBy: .operator, from: nil, by: mint, at: now)
                }
                return CommandOutput(["revoked": named.rawValue], "Revoked \(named).")
            }
        }
    }
}

/// A device of a person, and the sites for which it answers.
struct UserDevice: PersonalNoun {
    let device: EnrolledDevice
    let environments: [DeviceCustomerSite]

    static let listAbstract = "List the devices of a person."

    static var columns: Columns<Self> {
        [
            "id": \.device.id.rawValue, "name": \.device.details.name, "model": \.device.details.model,
            "dialect": \.device.dialect.rawValue, "number": \.device.phoneNumber?.text,
            "added": { $0.device.created.formatted(.iso8601) }, "last seen": { $0.device.lastSeen.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        [
            "id": device.id.rawValue, "name": device.details.name, "model": device.details.model,
            "platform": device.details.platform, "dialect": device.dialect.rawValue, "status": device.status.rawValue,
            "number": device.phoneNumber?.text, "environments": environments.map(\.environment.rawValue),
            "added": device.created, "seen": device.lastSeen,
        ]
    }

    static func all(of person: Person, in repositories: any Repositories) throws -> [Self] {
        try repositories.devices.all(of: person.subject).map {
            UserDevice(device: $0, environments: try repositories.devices.enrollments(of: $0.id))
        }
    }
}
