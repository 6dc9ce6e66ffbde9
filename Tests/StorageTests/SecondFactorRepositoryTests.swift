import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("Passkeys, one-time passwords and recovery codes of a store")
struct SecondFactorRepositoryTests {
    private func passkey(_ seed: UInt64, of person: String, counter: UInt32 = 0) throws -> PasskeyRecord {
        let authenticator = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: seed).source)
        return PasskeyRecord(
            passkey: Passkey(
                id: authenticator.id,
                key: try COSEKey(parsing: authenticator.publicKey),
                userHandle: UserHandle(rawValue: "YQ"),
                isBackupEligible: seed % 2 == 0,
                counter: counter,
                isBackedUp: false,
                transports: ["internal", "hybrid"]
            ),
            subject: Subject(person),
            name: "Handy \(seed) é",
            created: noon + Double(seed)
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `passkeys are returned as they were stored, and belong to one person`(store: StoreUnderTest) async throws {
        let mine = [try passkey(1, of: "anna"), try passkey(2, of: "anna", counter: .max)]
        let theirs = try passkey(3, of: "bert")
        try await store.run { store in
            try await store.change { for one in mine.reversed() + [theirs] { try $0.passkeys.insert(one) } }
            #expect(try await store.read { try $0.passkeys.all(of: Subject("anna")) } == mine)
            #expect(try await store.read { try $0.passkeys.find(theirs.passkey.id) } == theirs)
            for person in ["anna", "bert"] {
                let taken = try passkey(1, of: person)
                await #expect(throws: StoreError.alreadyExists) {
                    try await store.change { try $0.passkeys.insert(taken) }
                }
            }
            var used = theirs
            used.passkey.counter = 4_000_000_000
            used.passkey.isBackedUp = true
            used.lastUsed = noon + 0.125
            try await store.change { [used] in try $0.passkeys.update(used) }
            #expect(try await store.read { try $0.passkeys.find(theirs.passkey.id) } == used)
            #expect(try await !store.change { try $0.passkeys.remove(theirs.passkey.id, of: Subject("anna")) })
            #expect(try await store.change { try $0.passkeys.remove(theirs.passkey.id, of: Subject("bert")) })
            #expect(try await store.change { try $0.passkeys.removeAll(of: Subject("anna")) } == 2)
            #expect(try await store.read { try $0.passkeys.find(mine[0].passkey.id) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a challenge is answered once, and forgotten when it has ended`(store: StoreUnderTest) async throws {
        let (first, second) = (SecretDigest(of: "1"), SecretDigest(of: "2"))
        try await store.run { store in
            try await store.change { try $0.passkeys.use(first, until: noon) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.passkeys.use(first, until: noon + 9) }
            }
            try await store.change { try $0.passkeys.use(second, until: noon + 1) }
            #expect(try await store.change { try $0.passkeys.sweep(before: noon + 0.5, limit: 9) } == 1)
            try await store.change { try $0.passkeys.use(first, until: noon) }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `one-time passwords are one record for each person`(store: StoreUnderTest) async throws {
        let anna = Subject("anna")
        var record = OneTimePasswordRecord(
            subject: anna, sealedSecret: [0, 255, 7], last: 60_000_000, drift: -2, enrolled: noon + 0.5)
        try await store.run { [record] store in
            #expect(try await store.read { try $0.oneTimePasswords.find(anna) } == nil)
            try await store.change { try $0.oneTimePasswords.keep(record) }
            #expect(try await store.read { try $0.oneTimePasswords.find(anna) } == record)
            #expect(try await store.read { try $0.oneTimePasswords.find(Subject("bert")) } == nil)
        }
        record.last = 60_000_001
        record.drift = 3
        let later = record
        try await store.run { store in
            try await store.change {
                try $0.oneTimePasswords.keep(
                    OneTimePasswordRecord(subject: anna, sealedSecret: [1], movingFactor: .counter, enrolled: noon))
                try $0.oneTimePasswords.keep(later)
            }
            #expect(try await store.read { try $0.oneTimePasswords.find(anna) } == later)
            #expect(try await store.change { try $0.oneTimePasswords.remove(anna) })
            #expect(try await !store.change { try $0.oneTimePasswords.remove(anna) })
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `recovery codes are kept as what is left of them`(store: StoreUnderTest) async throws {
        let anna = Subject("anna")
        let (codes, kept) = RecoveryCodeSet.mint(for: anna, drawingFrom: SeededRandom(seed: 5).source)
        try await store.run { store in
            #expect(try await store.read { try $0.recoveryCodes.find(anna) } == nil)
            try await store.change { try $0.recoveryCodes.keep(kept) }
            for (place, code) in codes.enumerated() {
                let redeemed = try await store.change { repositories -> RecoveryCodeSet.Redemption in
                    var left = try #require(try repositories.recoveryCodes.find(anna))
                    let redeemed = left.redeem(code)
                    try repositories.recoveryCodes.keep(left)
                    return redeemed
                }
                #expect(redeemed == .accepted(left: 9 - place))
            }
            #expect(try await store.read { try $0.recoveryCodes.find(anna) }?.count == 0)
            #expect(try await store.change { try $0.recoveryCodes.remove(anna) })
            #expect(try await !store.change { try $0.recoveryCodes.remove(anna) })
        }
    }
}
