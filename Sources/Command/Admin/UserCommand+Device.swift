internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension UserCommand {
    /// `countersign admin user device`
    struct Device: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List and revoke the devices that answer requests for a person.",
            subcommands: [List.self, Revoke.self]
        )

        /// `countersign admin user device list`
        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the devices of a person.")

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson

            func run() async throws {
                try await ending {
                    let name = Username(parsing: who.username)
                    let devices = try await admin.withStore { store in
                        try await store.read { repositories -> [ShownDevice]? in
                            guard let name, let person = try repositories.people.find(name) else { return nil }
                            return try repositories.devices.all(of: person.subject).map { device in
                                ShownDevice(device, in: try repositories.devices.enrollments(of: device.id))
                            }
                        }
                    }
                    guard let devices else { throw Failure("There is nobody called \(who.username).") }
                    var table = TextTable(["id", "name", "model", "dialect", "number", "added", "last seen"])
                    for device in devices {
                        table.add([
                            device.id, device.name ?? "", device.model ?? "", device.dialect, device.number ?? "",
                            device.added.formatted(.iso8601), device.seen.formatted(.iso8601),
                        ])
                    }
                    try admin.print(devices, or: devices.isEmpty ? "None." : table.text)
                }
            }
        }

        /// `countersign admin user device revoke`
        struct Revoke: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Revoke a device: it answers nothing any more, and its app is signed out.",
                discussion: """
                    Example:
                      countersign admin user device revoke anna 3nJxQe0cR2m5T7p1Yw8LkA
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson
            @Argument(help: "The device, as 'device list' names it.")
            var id: String

            func run() async throws {
                try await ending {
                    let (name, named) = (Username(parsing: who.username), DeviceRegistration.ID(id))
                    let (now, mint) = (TimeSource.system.now(), CodeMint(drawingFrom: .system))
                    let isFound = try await admin.withStore { store in
                        try await store.change { repositories -> Bool? in
                            guard let name, let person = try repositories.people.find(name) else { return nil }
                            guard let device = try repositories.devices.find(named), device.subject == person.subject
                            else { return false }
                            try repositories.remove(device, askedBy: .operator, from: nil, by: mint, at: now)
                            return true
                        }
                    }
                    guard let isFound else { throw Failure("There is nobody called \(who.username).") }
                    guard isFound else { throw Failure("\(who.username) has no device \(named).") }
                    try admin.print(["revoked": named.rawValue], or: "Revoked \(named).")
                }
            }
        }
    }
}

/// A device as the command shows it.
private struct ShownDevice: Encodable {
    let id: String
    let name: String?
    let model: String?
    let platform: String?
    let dialect: String
    let status: String
    let number: String?
    let environments: [String]
    let added: Date
    let seen: Date

    init(_ device: EnrolledDevice, in environments: [DeviceEnvironment]) {
        id = device.id.rawValue
        name = device.details.name
        model = device.details.model
        platform = device.details.platform
        dialect = device.dialect.rawValue
        status = device.status.rawValue
        number = device.phoneNumber?.text
        self.environments = environments.map(\.environment.rawValue)
        added = device.created
        seen = device.lastSeen
    }
}
