import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The telephone number of a device of the older dialect")
struct LegacyNumberTests {
    /// Opens a server with a phone that has proved nothing yet.
    private func open(
        makingPeople: Bool = false,
        _ test: @escaping @Sendable (TestLegacyPhone) async throws -> Void
    ) async throws {
        try await TestLegacyPhone.open(
            configuring: { $0.phoneNumbers.makesPeople = makingPeople }
        ) { (proved) async throws -> Void in
            try await test(try await TestLegacyPhone.register(with: proved.customer, proved.app))
        }
    }

    /// The codes that were sent to a number, the oldest first.
    private func codes(to number: String, _ phone: TestLegacyPhone) async throws -> [String] {
        let keys = try await phone.server.server.services.keys.current()
        return try await phone.server.dueMessages().compactMap { delivery in
            guard case .text(_, to: let to) = delivery.content, to.text == number,
                let words = delivery.words(openedBy: keys)
            else { return nil }
            // Texts with a link to a request have no code.
            let code = String(words.revealed.prefix(6))
            return code.allSatisfy { ("0"..."9").contains($0) } ? code : nil
        }
    }

    private func name(_ number: String, _ phone: TestLegacyPhone) async throws -> TestResponse {
        try await phone.change("\"phone_number\":\"\(number)\"")
    }

    private func type(_ code: String, _ phone: TestLegacyPhone) async throws -> TestResponse {
        try await phone.change("\"verification_code\":\"\(code)\"")
    }

    private func status(_ answer: TestResponse) throws -> RegistrationStatus {
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(DeviceRegistration.self).status
    }

    @Test func `is pending until the code of the text is typed`() async throws {
        try await open { (phone) async throws -> Void in
            #expect(try await phone.registration().status == .unverified)
            #expect(try status(try await name("+31 6 12345678", phone)) == .pending)
            #expect(try await phone.registration().phoneNumber == TestCustomer.anna)
            let sent = try await codes(to: TestCustomer.anna, phone)
            #expect(sent.count == 1)
            // Named once more within half a minute: the same code is still good, and none is sent.
            #expect(try status(try await name(TestCustomer.anna, phone)) == .pending)
            #expect(try await codes(to: TestCustomer.anna, phone) == sent)
            #expect(try status(try await type(sent[0] == "000000" ? "000001" : "000000", phone)) == .pending)
            #expect(try status(try await type(sent[0], phone)) == .verified)
            // The number that it has proved needs no code.
            #expect(try status(try await name(TestCustomer.anna, phone)) == .verified)
            #expect(try await codes(to: TestCustomer.anna, phone) == sent)
            let device = try await phone.server.store.read { store in
                try store.devices.find(LegacyDeviceID(revealing: phone.id).stored)
            }
            #expect(device?.subject == TestPerson.anna.subject)
        }
    }

    @Test(arguments: ["06 12345678", "junk", "", "+999123456789"])
    func `has the international form`(number: String) async throws {
        try await open { (phone) async throws -> Void in
            #expect(try await name(number, phone).status == .badRequest)
            #expect(try await phone.registration().status == .unverified)
        }
    }

    @Test func `is not verified by five wrong codes, and then not by the right one`() async throws {
        try await open { (phone) async throws -> Void in
            _ = try await name(TestCustomer.anna, phone)
            let code = try #require(try await codes(to: TestCustomer.anna, phone).first)
            for guess in 0..<5 {
                #expect(try status(try await type(code == "00000\(guess)" ? "9" : "00000\(guess)", phone)) == .pending)
            }
            let late = try await type(code, phone)
            #expect(late.status == .tooManyRequests && late.failure?.status == 429)
            #expect(try await phone.registration().status == .pending)
            // A new code, after a while.
            #expect(try await name(TestCustomer.anna, phone).status == .tooManyRequests)
            phone.server.clock.setDate(phone.server.clock.date + 31)
            #expect(try status(try await name(TestCustomer.anna, phone)) == .pending)
            let next = try #require(try await codes(to: TestCustomer.anna, phone).last)
            #expect(try status(try await type(next, phone)) == .verified)
        }
    }

    @Test func `gets no text and no account where nobody has it, and looks the same`() async throws {
        try await open { (phone) async throws -> Void in
            #expect(try status(try await name(TestCustomer.nobody, phone)) == .pending)
            #expect(try await codes(to: TestCustomer.nobody, phone).isEmpty)
            #expect(try await phone.server.rows(of: "people") == TestPerson.allCases.count)
        }
        try await open(makingPeople: true) { (phone) async throws -> Void in
            #expect(try status(try await name(TestCustomer.nobody, phone)) == .pending)
            let code = try #require(try await codes(to: TestCustomer.nobody, phone).first)
            #expect(try status(try await type(code, phone)) == .verified)
            let username = Username(TestCustomer.nobody)
            let person = try await phone.server.store.read { try $0.people.find(username) }
            #expect(person?.password == nil && person?.standing == .active)
            let number = try PhoneNumber(TestCustomer.nobody)
            let owned = try await phone.server.store.read { try $0.phoneNumbers.find(number) }
            #expect(owned?.subject == person?.subject)
        }
    }

    /// Row 124.
    @Test func `is verified at once on a new phone by the right code, and the old one stays and is told`() async throws
    {
        try await open { first in
            _ = try await name(TestCustomer.anna, first)
            _ = try await type(try #require(try await codes(to: TestCustomer.anna, first).last), first)
            _ = try await first.change(#""push_token":"00ffa0","push_enabled":true"#)
            let second = try await TestLegacyPhone.register(with: first.customer, first.app)
            second.server.clock.setDate(second.server.clock.date + 31)
            #expect(try status(try await name(TestCustomer.anna, second)) == .pending)
            #expect(try await second.registration().status == .pending)
            let code = try #require(try await codes(to: TestCustomer.anna, second).last)
            #expect(try status(try await type(code, second)) == .verified)
            #expect(try await first.registration().status == .verified)
            #expect(try await pushes(second) == ["00ffa0"])
            #expect(try await second.server.completeMoves() == 0)
            let anna = TestPerson.anna.subject
            let devices = try await second.server.store.read { try $0.devices.all(of: anna) }
            let both = [first, second].map { LegacyDeviceID(revealing: $0.id).stored }
            #expect(devices.filter { both.contains($0.id) }.map(\.status) == [.verified, .verified])
        }
    }

    /// A stranger with the card of the telephone: the secret of a site is shown by its site alone, to nobody
    /// while the person's own phone is there.
    @Test(.server(configuring: TestLegacyPhone.configure))
    func `gives a stranger with the card no site while the person's phone is in it`() async throws {
        let first = try await TestLegacyPhone.add(to: .current)
        let secret = try await first.joined()
        let number = try PhoneNumber(TestCustomer.anna)
        let stored = LegacyDeviceID(revealing: first.id).stored
        try await first.server.change { repositories in
            var kept = try #require(try repositories.phoneNumbers.find(number))
            kept.device = stored
            try repositories.phoneNumbers.keep(kept)
        }
        let thief = try await TestLegacyPhone.register(with: first.customer, first.app)
        _ = try await name(TestCustomer.anna, thief)
        let code = try #require(try await codes(to: TestCustomer.anna, thief).last)
        #expect(try status(try await type(code, thief)) == .verified)
        thief.server.clock.setDate(thief.server.clock.date + 60)
        #expect(try await thief.customer.open().invitation == nil)
        #expect(try await thief.requests(secret).status == .unauthorized)
        #expect(try await first.requests(secret).status == .ok)
        let anna = try await first.server.browser(of: .anna)
        let id = LegacyDeviceID(revealing: thief.id).stored
        #expect(
            try await anna.confirm("account/devices/remove", ["device": id.rawValue]).location
                == "/account?done=device-removed")
        #expect(try await first.requests(secret).status == .ok)
    }

    @Test func `that is about to become another person's is not there for a new phone until that is settled`()
        async throws
    {
        try await open { first in
            _ = try await name(TestCustomer.anna, first)
            _ = try await type(try #require(try await codes(to: TestCustomer.anna, first).last), first)
            let number = try PhoneNumber(TestCustomer.anna)
            let due = first.server.clock.date + 86_400
            let bert = TestPerson.bert.subject
            try await first.server.change { repositories in
                var kept = try #require(try repositories.phoneNumbers.find(number))
                kept.move = PhoneNumberRecord.Move(to: DeviceRegistration.ID("bert's"), of: bert, due: due)
                try repositories.phoneNumbers.keep(kept)
            }
            let second = try await TestLegacyPhone.register(with: first.customer, first.app)
            second.server.clock.setDate(second.server.clock.date + 31)
            _ = try await name(TestCustomer.anna, second)
            let code = try #require(try await codes(to: TestCustomer.anna, second).last)
            #expect(try status(try await type(code, second)) == .pending)
            // The first device keeps it by naming it again.
            #expect(try status(try await name(TestCustomer.anna, first)) == .verified)
            second.server.clock.setDate(second.server.clock.date + 86_401)
            #expect(try await second.server.completeMoves() == 0)
            #expect(try await second.registration().status == .unverified)
        }
    }

    @Test func `that an operator removed proves itself again to the same person, and to nobody with a password`()
        async throws
    {
        try await open(makingPeople: true) { phone in
            _ = try await name(TestCustomer.nobody, phone)
            _ = try await type(try #require(try await codes(to: TestCustomer.nobody, phone).last), phone)
            let number = try PhoneNumber(TestCustomer.nobody)
            let owner = try #require(try await phone.server.store.read { try $0.phoneNumbers.find(number)?.subject })
            try await phone.server.change { try PhoneNumbers($0).remove(number) }
            #expect(try await phone.registration().status == .unverified)
            phone.server.clock.setDate(phone.server.clock.date + 3601)
            _ = try await name(TestCustomer.nobody, phone)
            let again = try #require(try await codes(to: TestCustomer.nobody, phone).last)
            #expect(try status(try await type(again, phone)) == .verified)
            #expect(try await phone.server.store.read { try $0.phoneNumbers.find(number)?.subject } == owner)

            // An account of that name that is somebody's by a password is not given away by a text message.
            try await phone.server.change { repositories in
                try PhoneNumbers(repositories).remove(number)
                var person = try #require(try repositories.people.find(owner))
                person.password = try #require(try repositories.people.find(TestPerson.anna.subject)).password
                try repositories.people.update(person)
            }
            phone.server.clock.setDate(phone.server.clock.date + 3601)
            _ = try await name(TestCustomer.nobody, phone)
            let late = try #require(try await codes(to: TestCustomer.nobody, phone).last)
            #expect(try status(try await type(late, phone)) == .unverified)
            #expect(try await phone.server.store.read { try $0.phoneNumbers.find(number) } == nil)
        }
    }

    @Test func `takes the push token of a former phone from it`() async throws {
        try await open { first in
            _ = try await name(TestCustomer.anna, first)
            _ = try await type(try #require(try await codes(to: TestCustomer.anna, first).last), first)
            let former = try await TestLegacyPhone.register(with: first.customer, first.app)
            _ = try await former.change(#""push_token":"bb","push_enabled":true"#)
            let second = try await TestLegacyPhone.register(with: first.customer, first.app)
            _ = try await second.change(#""push_token":"bb","push_enabled":true"#)
            second.server.clock.setDate(second.server.clock.date + 31)
            _ = try await name(TestCustomer.anna, second)
            _ = try await type(try #require(try await codes(to: TestCustomer.anna, second).last), second)
            let id = LegacyDeviceID(revealing: former.id).stored
            #expect(try await second.server.store.read { try $0.devices.find(id)?.pushToken } == nil)
        }
    }

    @Test(
        .server {
            TestLegacyPhone.configure(&$0)
            $0.phoneNumbers.makesPeople = true
            $0.limits[.textPerPrefix] = Limit(1, in: 3600)

        })
    func `gets no codes once those of its calling code are used up`() async throws {
        let proved = try await TestLegacyPhone.add(to: .current)
        let first = try await TestLegacyPhone.register(with: proved.customer, proved.app)
        #expect(try status(try await name(TestCustomer.nobody, first)) == .pending)
        let second = try await TestLegacyPhone.register(with: proved.customer, proved.app)
        #expect(try await name(TestCustomer.anna, second).status == .tooManyRequests)
        #expect(try await codes(to: TestCustomer.anna, second).isEmpty)
        // Once one of them is typed, the next is sent.
        let code = try #require(try await codes(to: TestCustomer.nobody, first).last)
        #expect(try status(try await type(code, first)) == .verified)
        #expect(try status(try await name(TestCustomer.anna, second)) == .pending)
    }

    /// The tokens of the devices that a push is due to.
    private func pushes(_ phone: TestLegacyPhone) async throws -> [String] {
        try await phone.server.dueMessages().compactMap { delivery in
            guard case .push(_, to: let address) = delivery.content else { return nil }
            return address.token
        }
    }

    @Test(.server(configuring: TestLegacyPhone.configure)) func `that is another one makes a proved device unverified`()
        async throws
    {
        let phone = try await TestLegacyPhone.add(to: .current)
        let secret = try await phone.joined()
        #expect(try status(try await name(TestCustomer.nobody, phone)) == .pending)
        #expect(try await phone.requests(secret).status == .unauthorized)
    }

    @Test(
        .server {
            TestLegacyPhone.configure(&$0)
            $0.phoneNumbers.makesPeople = true
        })
    func `of another person takes the device out of the sites of the one before`() async throws {
        let phone = try await TestLegacyPhone.add(to: .current)
        let secret = try await phone.joined()
        _ = try await name(TestCustomer.nobody, phone)
        let code = try #require(try await codes(to: TestCustomer.nobody, phone).first)
        #expect(try status(try await type(code, phone)) == .verified)
        #expect(try await phone.requests(secret).status == .unauthorized)
        #expect(try await phone.server.rows(of: "device_environments") == 0)
        let left = try #require(try await phone.server.audited(.legacyDeviceLeft).last)
        #expect(left.subject == TestPerson.anna.subject && left.client == phone.customer.environment.client)
    }

    @Test(.server(configuring: TestLegacyPhone.configure)) func `that it proves anew leaves it in its sites`()
        async throws
    {
        let phone = try await TestLegacyPhone.add(to: .current)
        let secret = try await phone.joined()
        _ = try await name(TestCustomer.nobody, phone)
        phone.server.clock.setDate(phone.server.clock.date + 31)
        _ = try await name(TestCustomer.anna, phone)
        let code = try #require(try await codes(to: TestCustomer.anna, phone).last)
        #expect(try status(try await type(code, phone)) == .verified)
        #expect(try await phone.requests(secret).status == .ok)
    }
}
