import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The telephone numbers of a store")
struct PhoneNumberRepositoryTests {
    private let anna = Subject("anna")
    private let phone = DeviceRegistration.ID("phone")

    @Test(arguments: StoreUnderTest.allCases)
    func `belong to one person each, with their move to another`(store: StoreUnderTest) async throws {
        let (first, second) = (try PhoneNumber("+31612345678"), try PhoneNumber("+31612345679"))
        let kept = PhoneNumberRecord(first, of: anna, device: phone, verified: noon)
        var moving = kept
        moving.move = PhoneNumberRecord.Move(
            to: DeviceRegistration.ID("new"), of: Subject("bea"), due: noon + 86_400)
        let unnamed = PhoneNumberRecord(
            second,
            of: anna,
            verified: noon,
            move: PhoneNumberRecord.Move(to: DeviceRegistration.ID("old dialect"), of: nil, due: noon + 60)
        )
        try await store.run { [moving] store in
            try await store.change {
                try $0.phoneNumbers.keep(kept)
                try $0.phoneNumbers.keep(unnamed)
            }
            #expect(try await store.read { try $0.phoneNumbers.find(first) } == kept)
            try await store.change { try $0.phoneNumbers.keep(moving) }
            #expect(try await store.read { try $0.phoneNumbers.all(of: anna) } == [moving, unnamed])
            #expect(try await store.read { try $0.phoneNumbers.moving(at: noon + 60, limit: 9) } == [unnamed])
            #expect(try await store.read { try $0.phoneNumbers.moving(at: noon + 86_400, limit: 9) }.count == 2)
            #expect(try await store.change { try $0.phoneNumbers.remove(first) })
            #expect(try await store.change { try $0.phoneNumbers.remove(first) } == false)
            #expect(try await store.change { try $0.phoneNumbers.removeAll(of: anna) } == 1)
            #expect(try await store.read { try $0.phoneNumbers.find(second) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are proved step by step`(store: StoreUnderTest) async throws {
        let (first, second) = (try PhoneNumber("+31612345678"), try PhoneNumber("+4915112345678"))
        let code = SecretDigest(of: "123456")
        var states = [PhoneRegistration()]
        var registration = PhoneRegistration()
        registration.send(code, to: first, at: noon)
        states.append(registration)
        _ = registration.answer(SecretDigest(of: "1"), at: noon + 0.1)
        states.append(registration)
        registration.wait(for: first, until: noon + 86_400)
        states.append(registration)
        registration.verify(first)
        states.append(registration)
        registration.send(code, to: second, at: noon + 0.2)
        states.append(registration)
        try await store.run { [states] store in
            for state in states {
                let record = PhoneRegistrationRecord(phone, state, touched: noon + 0.3)
                try await store.change { try $0.phoneRegistrations.keep(record) }
                #expect(try await store.read { try $0.phoneRegistrations.find(phone) } == record)
            }
            #expect(try await store.change { try $0.phoneRegistrations.remove(phone) })
            #expect(try await store.change { try $0.phoneRegistrations.remove(phone) } == false)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `leave devices when they end, and devices that prove nothing are forgotten`(
        store: StoreUnderTest
    ) async throws {
        let number = try PhoneNumber("+31612345678")
        let proved = PhoneRegistrationRecord(phone, PhoneRegistration(.verified(number)), touched: noon)
        let idle = PhoneRegistrationRecord(DeviceRegistration.ID("idle"), PhoneRegistration(), touched: noon)
        let moving = PhoneRegistrationRecord(
            DeviceRegistration.ID("moving"), PhoneRegistration(.moving(number, until: noon + 60)), touched: noon)
        try await store.run { store in
            try await store.change {
                try $0.phoneRegistrations.keep(proved)
                try $0.phoneRegistrations.keep(idle)
                try $0.phoneRegistrations.keep(moving)
            }
            #expect(try await store.change { try $0.phoneRegistrations.sweep(before: noon + 1, limit: 9) } == 1)
            #expect(try await store.read { try $0.phoneRegistrations.find(idle.device) } == nil)
            #expect(try await store.read { try $0.phoneRegistrations.find(moving.device) } == moving)
            try await store.change { try $0.phoneRegistrations.removeAll(of: number) }
            #expect(try await store.read { try $0.phoneRegistrations.find(phone) } == nil)
        }
    }
}
