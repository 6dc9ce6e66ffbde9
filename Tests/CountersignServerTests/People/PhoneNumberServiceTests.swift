import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The proving of telephone numbers")
struct PhoneNumberServiceTests {
    private let number = NumberProving.number

    @Test func `takes a code that came by text message`() async throws {
        try await NumberProving.open { proving in
            let phone = proving.device("phone")
            let parsed = try PhoneNumber(number)
            #expect(try await proving.register(for: phone) == .pending(parsed))
            let code = try await proving.code()
            #expect(code?.allSatisfy(\.isNumber) == true && code?.count == 6)
            #expect(try await proving.verify(NumberProving.wrong(code), for: phone) == .pending(parsed))
            let expected = NumberOutcome.verified(parsed, of: TestPerson.anna.subject)
            #expect(try await proving.verify(code ?? "", for: phone) == expected)
            #expect(try await proving.service.outcome(of: phone.id) == expected)
            #expect(try await proving.server.audited(.phoneNumberProved).map(\.detail) == [parsed.masked])
        }
    }

    @Test(arguments: [" ", "-", "\u{A0}", "\u{2013}"])
    func `takes a code in groups, and in the digits of another script`(separator: String) async throws {
        try await NumberProving.open { proving in
            let phone = proving.device("phone")
            try await proving.register(for: phone)
            let code = try #require(try await proving.code())
            let scalars = code.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x630) }
            let arabic = String(String.UnicodeScalarView(scalars))
            #expect(try await proving.verify("\(code.prefix(3))x\(code.suffix(3))", for: phone).status == .pending)
            let typed = "\(arabic.prefix(3))\(separator)\(code.suffix(3))\n"
            #expect(try await proving.verify(typed, for: phone).status == .verified)
        }
    }

    @Test func `skips the code on the device that has proved the number, and on that one only`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            let again = try await proving.register(for: proving.device("phone"))
            #expect(again.status == .verified)
            #expect(try await proving.register(for: proving.device("tablet")).status == .pending)
            #expect(try await proving.messages().count == 2)
        }
    }

    @Test func `notes at the enrolled device how far it is`() async throws {
        try await NumberProving.open { proving in
            let id = DeviceRegistration.ID("older")
            let now = proving.server.clock.date
            let known = PhoneNumberRecord(try PhoneNumber(number), of: TestPerson.bert.subject, verified: now)
            try await proving.server.change { repositories in
                try repositories.devices.insert(
                    EnrolledDevice(id: id, dialect: .shared, subject: nil, signIn: nil, created: now))
                // An operator entered the number.
                try repositories.phoneNumbers.keep(known)
            }
            try await proving.register(for: proving.device("older", of: nil))
            let pending = try await proving.server.store.read { try $0.devices.find(id) }
            #expect(pending?.status == .pending && pending?.phoneNumber?.text == number && pending?.subject == nil)
            let outcome = try await proving.verify(
                try await proving.code() ?? "", for: proving.device("older", of: nil))
            #expect(outcome.status == .verified)
            let verified = try await proving.server.store.read { try $0.devices.find(id) }
            #expect(verified?.status == .verified && verified?.subject == TestPerson.bert.subject)
        }
    }

    @Test func `answers alike whether anybody has the number, and sends nothing to one that nobody can have`()
        async throws
    {
        try await NumberProving.open { proving in
            let unknown = try await proving.register(for: proving.device("older", of: nil))
            #expect(unknown == .pending(try PhoneNumber(number)))
            #expect(try await proving.messages().isEmpty)
            #expect(try await proving.verify("123456", for: proving.device("older", of: nil)) == unknown)
        }
    }

    @Test func `makes a person of a number only where the operator wants it`() async throws {
        try await NumberProving.open(configuring: { $0.phoneNumbers.makesPeople = true }) { proving in
            let outcome = try await proving.prove(for: proving.device("older", of: nil))
            guard case .verified(_, of: let subject) = outcome else { throw Unexpected() }
            let person = try await proving.server.store.read { try $0.people.find(subject) }
            #expect(person?.username.rawValue == number && person?.password == nil)
        }
    }

    @Test func `sends codes to the countries that the operator serves only`() async throws {
        try await NumberProving.open(configuring: { $0.phoneNumbers.servedPrefixes = ["49", "3161"] }) { proving in
            try await proving.register(for: proving.device("phone"))
            await #expect(throws: UnservedNumberError()) {
                try await proving.register("+31651234567", for: proving.device("second"))
            }
            await #expect(throws: UnservedNumberError()) {
                try await proving.register("+447911123456", for: proving.device("third"))
            }
        }
    }

    @Test func `replaces the number of a device that has another one now`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            try await proving.prove("+31612345679", for: proving.device("phone"))
            #expect(try await proving.holder() == nil)
            #expect(try await proving.holder(of: "+31612345679")?.subject == TestPerson.anna.subject)
        }
    }

    // MARK: Moving

    @Test func `moves to another person after a day, and tells the one who has it at once`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove("+31612345679", for: proving.device("tablet"))
            try await proving.prove(for: proving.device("phone"))
            let thief = proving.device("stolen", of: .bert)
            #expect(try await proving.prove(for: thief) == .pending(try PhoneNumber(number)))
            #expect(try await proving.holder()?.subject == TestPerson.anna.subject)
            #expect(try await proving.messages(to: "+31612345679").last?.contains("Another phone") == true)
            #expect(try await proving.server.audited(.phoneNumberClaimed).count == 1)
            let early = proving.server.clock.date
            #expect(
                try await proving.server.store.change {
                    try PhoneNumbers($0).completeMoves(
                        telling: proving.server.server.services.accounts.newDevices, at: early, limit: 9)
                } == 0)
            proving.server.clock.advance(by: .seconds(86_400))
            let now = proving.server.clock.date
            #expect(
                try await proving.server.store.change {
                    try PhoneNumbers($0).completeMoves(
                        telling: proving.server.server.services.accounts.newDevices, at: now, limit: 9)
                } == 1)
            #expect(try await proving.service.outcome(of: thief.id).status == .verified)
            #expect(try await proving.service.outcome(of: DeviceRegistration.ID("phone")) == .unverified)
            #expect(try await proving.holder()?.subject == TestPerson.bert.subject)
        }
    }

    @Test func `stays when the device that has it objects`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            try await proving.prove(for: proving.device("stolen", of: .bert))
            #expect(try await proving.register(for: proving.device("phone")).status == .verified)
            #expect(try await proving.server.audited(.phoneNumberKept).count == 1)
            proving.server.clock.advance(by: .seconds(2 * 86_400))
            let now = proving.server.clock.date
            #expect(
                try await proving.server.store.change {
                    try PhoneNumbers($0).completeMoves(
                        telling: proving.server.server.services.accounts.newDevices, at: now, limit: 9)
                } == 0)
            #expect(try await proving.service.outcome(of: DeviceRegistration.ID("stolen")) == .unverified)
            #expect(try await proving.holder()?.subject == TestPerson.anna.subject)
        }
    }

    @Test func `stays its person's when its device is removed, and waits for others all the same`() async throws {
        try await NumberProving.open { proving in
            let parsed = try PhoneNumber(number)
            try await proving.prove(for: proving.device("phone"))
            try await proving.server.change { _ = try $0.devices.remove(DeviceRegistration.ID("phone")) }
            // The card of a stolen telephone.
            #expect(try await proving.prove(for: proving.device("stolen", of: .bert)) == .pending(parsed))
            #expect(try await proving.holder()?.subject == TestPerson.anna.subject)
            // Their own next device needs no waiting, and is the one that may object from then on.
            try await proving.prove(for: proving.device("next"))
            #expect(try await proving.holder()?.device == DeviceRegistration.ID("next"))
            // By proving it anew they have objected.
            #expect(try await proving.server.audited(.phoneNumberKept).count == 1)
            proving.server.clock.advance(by: .seconds(2 * 86_400))
            let now = proving.server.clock.date
            #expect(
                try await proving.server.store.change {
                    try PhoneNumbers($0).completeMoves(
                        telling: proving.server.server.services.accounts.newDevices, at: now, limit: 9)
                } == 0)
            #expect(try await proving.holder()?.subject == TestPerson.anna.subject)
        }
    }

    @Test func `does not move sooner because the device that had it ends`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            let thief = proving.device("stolen", of: .bert)
            try await proving.prove(for: thief)
            try await proving.server.change { _ = try $0.devices.remove(DeviceRegistration.ID("phone")) }
            let holder = try #require(try await proving.holder())
            #expect(holder.subject == TestPerson.anna.subject && holder.move != nil)
            proving.server.clock.advance(by: .seconds(60))
            #expect(try await proving.prove(for: thief) == .pending(try PhoneNumber(number)))
        }
    }

    @Test func `is verified at once on one more device of the older dialect, except while it is moving`() async throws {
        try await NumberProving.open { proving in
            let parsed = try PhoneNumber(number)
            try await proving.prove(for: proving.device("phone"))
            let annas = NumberOutcome.verified(parsed, of: TestPerson.anna.subject)
            #expect(try await proving.prove(for: proving.device("second", of: nil)) == annas)
            #expect(try await proving.holder()?.device == DeviceRegistration.ID("phone"))
            #expect(try await proving.service.outcome(of: DeviceRegistration.ID("phone")) == annas)
            try await proving.server.change { repositories in
                var kept = try #require(try repositories.phoneNumbers.find(parsed))
                let due = kept.verified + 86_400
                let bert = TestPerson.bert.subject
                kept.move = PhoneNumberRecord.Move(to: DeviceRegistration.ID("stolen"), of: bert, due: due)
                try repositories.phoneNumbers.keep(kept)
            }
            #expect(try await proving.prove(for: proving.device("third", of: nil)) == .pending(parsed))
            #expect(try await proving.service.outcome(of: DeviceRegistration.ID("second")) == annas)
        }
    }

    @Test func `moves no number that a device did not prove to the end`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            let other = proving.device("other", of: .bert)
            try await proving.prove(for: other)
            // It turns to another number meanwhile.
            proving.server.clock.advance(by: .seconds(3600))
            try await proving.register("+31612345670", for: other)
            proving.server.clock.advance(by: .seconds(86_400))
            let now = proving.server.clock.date
            _ = try await proving.server.store.change {
                try PhoneNumbers($0).completeMoves(
                    telling: proving.server.server.services.accounts.newDevices, at: now, limit: 9)
            }
            #expect(try await proving.holder()?.subject == TestPerson.anna.subject)
            #expect(try await proving.holder()?.move == nil)
        }
    }

    private struct Unexpected: Error {}

    @Test func `is proved by no device that was removed meanwhile`() async throws {
        try await NumberProving.open { proving in
            let phone = proving.device("phone")
            try await proving.register(for: phone)
            let code = try #require(try await proving.code())
            try await proving.server.change { _ = try $0.devices.remove(phone.id) }
            let other = try proving.service.served(try PhoneNumber("+31612345670"))
            await #expect(throws: RemovedDeviceError()) {
                try await proving.service.register(other, for: phone, from: nil)
            }
            await #expect(throws: RemovedDeviceError()) {
                try await proving.service.verify(code, for: phone, from: nil)
            }
            #expect(try await proving.holder() == nil)
            #expect(try await proving.messages(to: "+31612345670").isEmpty)
        }
    }
}
