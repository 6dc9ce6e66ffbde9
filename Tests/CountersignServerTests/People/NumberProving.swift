import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation

@testable import CountersignServer

/// A server that proves numbers, and the telephones that it sends to.
struct NumberProving: Sendable {
    let server: TestServer
    let gateway: CountingGateway

    var service: PhoneNumberService { server.server.services.accounts.phoneNumbers }

    static let number = "+31612345678"

    static func open(
        over gateway: CountingGateway = CountingGateway(),
        configuring: @escaping @Sendable (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (NumberProving) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: {
            $0.delivery = DeliverySettings(gateway: gateway)
            configuring(&$0)
        }) { server in
            try await test(NumberProving(server: server, gateway: gateway))
        }
    }

    func device(_ id: String, of person: TestPerson? = .anna) -> NumberedDevice {
        NumberedDevice(id: DeviceRegistration.ID(id), subject: person?.subject)
    }

    @discardableResult
    func register(
        _ number: String = NumberProving.number,
        for device: NumberedDevice,
        from address: String? = "192.0.2.1"
    ) async throws -> NumberOutcome {
        let served = try service.served(try PhoneNumber(number))
        let now = server.clock.date
        try await server.change { repositories in
            guard try repositories.devices.find(device.id) == nil else { return }
            try repositories.devices.insert(
                EnrolledDevice(
                    id: device.id, dialect: .shared, subject: device.subject, signIn: nil, created: now))
        }
        return try await service.register(served, for: device, from: address)
    }

    @discardableResult
    func verify(_ code: String, for device: NumberedDevice, from address: String? = "192.0.2.1") async throws
        -> NumberOutcome
    {
        switch try await service.verify(code, for: device, from: address) {
        case .right(let outcome): outcome
        case .wrong, .notExpected: try await service.outcome(of: device.id)
        }
    }

    /// Lets everything be sent, and returns the messages that came to a number, in order.
    func messages(to number: String = NumberProving.number) async throws -> [String] {
        try await server.server.deliveries(over: ScriptedTransport([:])).deliver()
        return await gateway.sent.filter { $0.number.text == number }.map(\.text.revealed)
    }

    /// The last code that came to a number.
    func code(at number: String = NumberProving.number) async throws -> String? {
        try await messages(to: number).last { $0.contains("is your code") }.map { String($0.prefix(6)) }
    }

    /// Proves a number.
    @discardableResult
    func prove(_ number: String = NumberProving.number, for device: NumberedDevice) async throws -> NumberOutcome {
        try await register(number, for: device)
        return try await verify(try await code(at: number) ?? "", for: device)
    }

    func holder(of number: String = NumberProving.number) async throws -> PhoneNumberRecord? {
        let number = try PhoneNumber(number)
        return try await server.store.read { try $0.phoneNumbers.find(number) }
    }

    /// A code that is not this one.
    static func wrong(_ code: String?) -> String { code == "000000" ? "000001" : "000000" }
}
