import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The enrolled devices of a store")
struct DeviceRepositoryTests {
    private let anna = Subject("anna")

    private func device(_ name: String, of subject: Subject? = Subject("anna"), signIn: String? = nil)
        -> EnrolledDevice
    {
        EnrolledDevice(
            id: DeviceRegistration.ID(name),
            dialect: signIn == nil ? .shared : .signed,
            subject: subject,
            signIn: signIn.map { Grant.ID($0) },
            created: noon
        )
    }

    private func described(_ name: String) throws -> EnrolledDevice {
        var device = device(name, signIn: "sign-in of \(name)")
        var details = DeviceDetails()
        details.model = "Handy „rot“ 📱"
        details.platform = "iOS"
        details.appKey = "key"
        details.pushToken = "token of \(name)"
        details.isPushEnabled = true
        details.isDevelopment = true
        device.update(details)
        device.phoneNumber = try PhoneNumber("+31612345678")
        device.status = .verified
        return device
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found by each of their names, as they were stored`(store: StoreUnderTest) async throws {
        let (one, two) = (try described("one"), device("two", of: nil))
        let number = try PhoneNumber("+31612345678")
        try await store.run { store in
            try await store.change { repositories in
                for device in [two, one] { try repositories.devices.insert(device) }
            }
            #expect(try await store.read { try $0.devices.find(one.id) } == one)
            #expect(try await store.read { try $0.devices.find(two.id) } == two)
            #expect(try await store.read { try $0.devices.all() } == [one, two])
            #expect(try await store.read { try $0.devices.find(Grant.ID("sign-in of one")) } == one)
            #expect(try await store.read { try $0.devices.all(of: anna) } == [one])
            #expect(try await store.read { try $0.devices.all(with: number) } == [one])
            #expect(try await store.read { try $0.devices.verified(with: number) } == [one])
            #expect(try await store.read { try $0.devices.all(with: PushToken(revealing: "token of one")) } == [one])
            #expect(try await store.read { try $0.devices.all(with: PushToken(revealing: "another")) } == [])
            var unverified = one
            unverified.status = .pending
            let pending = unverified
            try await store.change { try $0.devices.update(pending) }
            #expect(try await store.read { try $0.devices.verified(with: number) } == [])
            #expect(try await store.read { try $0.devices.find(Grant.ID("another")) } == nil)
            for taken in [device("one"), device("three", signIn: "sign-in of one")] {
                await #expect(throws: StoreError.alreadyExists) {
                    try await store.change { try $0.devices.insert(taken) }
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep what changes, and forget dead addresses`(store: StoreUnderTest) async throws {
        let one = try described("one")
        var changed = device("two", of: nil)
        changed.subject = anna
        changed.pushToken = one.pushToken
        changed.lastSeen = noon + 7200.5
        let later = changed
        let token = try #require(one.pushToken)
        try await store.run { store in
            try await store.change { repositories in
                try repositories.devices.insert(one)
                try repositories.devices.insert(device("two", of: nil))
                try repositories.devices.update(later)
            }
            #expect(try await store.read { try $0.devices.all(of: anna) } == [one, later])
            try await store.change { try $0.devices.forgetPushAddress(of: token, at: noon + 1) }
            try await store.change { try $0.devices.forgetPushAddress(of: token, at: noon + 2) }
            #expect(try await store.read { try $0.devices.all(of: anna) }.map(\.pushDied) == [noon + 1, noon + 1])
            try await store.change { try $0.devices.removePushToken(token, exceptOf: later.id) }
            #expect(try await store.read { try $0.devices.all(with: token) }.map(\.id) == [later.id])
            #expect(try await store.read { try $0.devices.find(one.id) }?.pushToken == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are enrolled in environments until either is removed`(store: StoreUnderTest) async throws {
        let one = device("one")
        let (bank, shop) = (CustomerSiteID("bank"), CustomerSiteID("shop"))
        let enrollment = DeviceCustomerSite(
            device: one.id, environment: bank, sealedSecret: [1, 0], of: anna, added: noon)
        let second = DeviceCustomerSite(device: one.id, environment: shop, added: noon + 1)
        let again = DeviceCustomerSite(device: one.id, environment: bank, added: noon + 2)
        try await store.run { store in
            try await store.change { repositories in
                try repositories.devices.insert(one)
                for one in [second, enrollment] { try repositories.devices.enroll(one) }
            }
            #expect(try await store.read { try $0.devices.enrollments(of: one.id) } == [enrollment, second])
            #expect(try await store.read { try $0.devices.enrollment(of: one.id, in: bank) } == enrollment)
            try await store.change { try $0.devices.enroll(again) }
            #expect(try await store.read { try $0.devices.enrollments(of: one.id) } == [second, again])
            #expect(try await store.change { try $0.devices.unenroll(one.id, from: shop) })
            #expect(try await !store.change { try $0.devices.unenroll(one.id, from: shop) })
            #expect(try await store.change { try $0.devices.removeEnrollments(in: bank) } == 1)
            #expect(try await store.change { try $0.devices.removeEnrollments(in: bank) } == 0)
            try await store.change { try $0.devices.enroll(again) }
            #expect(try await store.change { try $0.devices.remove(one.id) })
            #expect(try await !store.change { try $0.devices.remove(one.id) })
            #expect(try await store.read { try $0.devices.enrollments(of: one.id) } == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed with their person, and when they are silent for long`(store: StoreUnderTest) async throws {
        let (mine, theirs) = ([device("one"), device("two")], device("three", of: Subject("bert")))
        try await store.run { store in
            try await store.change { repositories in
                for device in mine + [theirs] { try repositories.devices.insert(device) }
                try repositories.devices.enroll(
                    DeviceCustomerSite(device: mine[0].id, environment: CustomerSiteID("bank"), added: noon))
                try repositories.devices.keepQuiet(anna, until: noon + 60)
            }
            #expect(try await store.change { try $0.devices.removeAll(of: anna) } == 2)
            #expect(try await store.read { try $0.devices.quiet(of: anna) } == nil)
            #expect(try await store.read { try $0.devices.enrollments(of: mine[0].id) } == [])
            #expect(try await store.change { try $0.devices.sweep(before: noon, limit: 9) } == 0)
            #expect(try await store.change { try $0.devices.sweep(before: noon + 1, limit: 9) } == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `that are nobody's are removed sooner, unless an environment or a number keeps them`(
        store: StoreUnderTest
    ) async throws {
        let moving = PhoneRegistration(.moving(try PhoneNumber("+31612345678"), until: noon + 60))
        try await store.run { store in
            try await store.change { repositories in
                for name in ["two", "three", "four"] { try repositories.devices.insert(device(name, of: nil)) }
                try repositories.devices.insert(device("one"))
                try repositories.phoneRegistrations.keep(
                    PhoneRegistrationRecord(DeviceRegistration.ID("four"), moving, touched: noon))
                try repositories.devices.enroll(
                    DeviceCustomerSite(
                        device: DeviceRegistration.ID("three"), environment: CustomerSiteID("bank"), added: noon))
            }
            #expect(try await store.change { try $0.devices.sweepOfNobody(before: noon, limit: 9) } == 0)
            #expect(try await store.change { try $0.devices.sweepOfNobody(before: noon + 1, limit: 9) } == 1)
            let left = try await store.read { repositories in
                try ["one", "two", "three", "four"].filter { name in
                    try repositories.devices.find(DeviceRegistration.ID(name)) != nil
                }
            }
            #expect(left == ["one", "three", "four"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `leave people alone until an instant that is kept`(store: StoreUnderTest) async throws {
        try await store.run { store in
            #expect(try await store.read { try $0.devices.quiet(of: anna) } == nil)
            try await store.change { try $0.devices.keepQuiet(anna, until: noon + 60) }
            try await store.change { try $0.devices.keepQuiet(anna, until: noon + 30.5) }
            #expect(try await store.read { try $0.devices.quiet(of: anna) } == noon + 30.5)
            #expect(try await store.change { try $0.devices.sweepQuietTimes(before: noon + 30, limit: 9) } == 0)
            #expect(try await store.change { try $0.devices.sweepQuietTimes(before: noon + 31, limit: 9) } == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are enrolled by tickets, which keep what they were used for`(store: StoreUnderTest) async throws {
        let plain = EnrollmentTicketRecord(
            digest: SecretDigest(of: "plain"), subject: anna, made: noon, expires: noon + 300)
        var full = EnrollmentTicketRecord(
            digest: SecretDigest(of: "full"), subject: anna, client: ClientID("app"),
            environment: CustomerSiteID("bank"), sealedSecret: [0, 7], evidence: Fixtures.everyProof, made: noon,
            expires: noon + 600.5)
        try await store.run { [full] store in
            try await store.change { repositories in
                for ticket in [plain, full] { try repositories.enrollmentTickets.insert(ticket) }
            }
            #expect(try await store.read { try $0.enrollmentTickets.find(plain.digest) } == plain)
            #expect(try await store.read { try $0.enrollmentTickets.find(full.digest) } == full)
            #expect(try await store.read { try $0.enrollmentTickets.find(SecretDigest(of: "none")) } == nil)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.enrollmentTickets.insert(plain) }
            }
        }
        full.use = EnrollmentTicketRecord.Use(at: noon + 1, signIn: Grant.ID("new"), gaveSignIn: true)
        try await store.run { [full] store in
            try await store.change { repositories in
                for ticket in [plain, full] { try repositories.enrollmentTickets.insert(ticket) }
                try repositories.enrollmentTickets.update(full)
            }
            #expect(try await store.read { try $0.enrollmentTickets.find(full.digest) } == full)
            #expect(try await store.change { try $0.enrollmentTickets.sweep(before: noon + 301, limit: 9) } == 1)
            #expect(try await store.change { try $0.enrollmentTickets.removeAll(of: anna) } == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are wanted by requests with terms, which change with their exchange`(store: StoreUnderTest) async throws {
        var number = NumberToMatch(DigitsCode(restoring: "right"))
        let record = Fixtures.addressed("one", method: .customerSite(Fixtures.siteTerms(.number(number))))
        #expect(number.match(DigitsCode(restoring: "wrong")) == .missed)
        try await store.run { [number] store in
            try await store.change { try $0.exchanges.insert(record) }
            #expect(try await store.read { try $0.exchanges.find(record.id) } == record)
            var later = record
            later.method = .customerSite(Fixtures.siteTerms(.number(number)))
            let isNoted = later.noteUndeliverable()
            #expect(isNoted)
            #expect(later.status(at: noon) == .failed)
            try await store.change { [later] in try $0.exchanges.update(later) }
            #expect(try await store.read { try $0.exchanges.find(record.requestCode) } == later)
            #expect(try await store.read { try $0.exchanges.waiting(for: anna, at: noon) } == [later])
        }
    }
}
