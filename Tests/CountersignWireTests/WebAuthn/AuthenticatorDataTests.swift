import Countersign
import CountersignTesting
import Testing

@testable import CountersignWire

/// Standard: Web Authentication Level 3 §6.1, §6.5.1; RFC 9052 §7.
@Suite("Authenticator data")
struct AuthenticatorDataTests {
    private static let start = [UInt8](repeating: 7, count: 32)
    private let key = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 3).source).publicKey

    private func code(_ bytes: [UInt8]) -> PasskeyError.Code? {
        do throws(PasskeyError) {
            _ = try AuthenticatorData(parsing: bytes)
            return nil
        } catch {
            return error.code
        }
    }

    private func attested(_ key: [UInt8], id: [UInt8] = [1, 2], flags: UInt8 = 0x45) -> [UInt8] {
        Self.start + [flags, 0, 0, 1, 2] + [UInt8](repeating: 9, count: 16) + [
            UInt8(id.count >> 8), UInt8(id.count & 0xFF),
        ]
            + id + key
    }

    @Test func `is read with its credential and extensions`() throws {
        let data = try AuthenticatorData(parsing: attested(key, flags: 0xC5) + [0xA1, 0x61, 0x61, 0xF5])
        #expect(data.counter == 258 && data.relyingPartyDigest == Self.start && data.flags.contains(.userVerified))
        #expect(data.credential?.id.rawValue == "AQI" && data.credential?.model == [UInt8](repeating: 9, count: 16))
        #expect(data.credential?.key.bytes == key && data.credential?.key.algorithm == .es256)
        #expect(data.extensions == ["a": .truth(true)])
    }

    @Test func `is read with extensions in an order of their own, and not with one twice`() throws {
        let swapped: [UInt8] = [0xA2, 0x62, 0x61, 0x61, 0xF5, 0x61, 0x61, 0x01]
        let data = try AuthenticatorData(parsing: attested(key, flags: 0xC5) + swapped)
        #expect(data.extensions == ["aa": .truth(true), "a": .number(1)])
        #expect(code(attested(key, flags: 0xC5) + [0xA2, 0x61, 0x61, 0xF5, 0x61, 0x61, 0x01]) == .malformed)
    }

    @Test func `is refused when it is cut off or too long`() {
        let whole = attested(key)
        #expect(code(whole) == nil)
        for end in 0..<whole.count { #expect(code(Array(whole[..<end])) != nil, "\(end)") }
        #expect(code(whole + [0]) == .malformed)
        #expect(code(Self.start + [1, 0, 0, 0, 0, 0]) == .malformed)
        #expect(code(attested(key, id: [])) == .malformed)
        #expect(code(attested(key, id: [UInt8](repeating: 1, count: 1023))) == nil)
        #expect(code(attested(key, id: [UInt8](repeating: 1, count: 1024))) == .malformed)
        #expect(code(attested(key, flags: 0xC5) + [0xA1, 0x01, 0xF5]) == .malformed, "an extension has a name")
        #expect(code(attested(key, flags: 0xC5) + [0x80]) == .malformed)
    }

    @Test func `is refused when it is backed up and never may be`() {
        #expect(code(Self.start + [0x11, 0, 0, 0, 0]) == .backupState)
        #expect(code(Self.start + [0x19, 0, 0, 0, 0]) == nil)
    }

    @Test func `is refused with a key that was not asked for`() throws {
        let modulus = { (count: Int, first: UInt8) in [first] + [UInt8](repeating: 0xFF, count: count - 1) }
        let rsa = { (modulus: [UInt8], exponent: [UInt8]) in
            CBORValue.map([
                .init(.number(1), .number(3)), .init(.number(3), .number(-257)), .init(.number(-1), .bytes(modulus)),
                .init(.number(-2), .bytes(exponent)),
            ]).encoded
        }
        #expect(code(attested(rsa(modulus(256, 0x80), [1, 0, 1]))) == nil)
        #expect(code(attested(rsa(modulus(512, 0x80), [3]))) == nil)
        #expect(code(attested(ed25519())) == nil)
        let keys = [
            rsa(modulus(128, 0x80), [1, 0, 1]), rsa(modulus(255, 0xFF), [1, 0, 1]), rsa(modulus(256, 0x7F), [1, 0, 1]),
            rsa(modulus(257, 0), [1, 0, 1]), rsa(modulus(513, 1), [1, 0, 1]), rsa(modulus(256, 0x80), [1]),
            rsa(modulus(256, 0x80), [2]), rsa(modulus(256, 0x80), []), rsa(modulus(256, 0x80), [0, 3]),
            ed25519(count: 31), ed25519(count: 33), ed25519(curve: 4), ed25519(curve: 7), ed25519(algorithm: -7),
            ed25519(type: 2),
            ec(x: [UInt8](repeating: 1, count: 32), y: .bytes([UInt8](repeating: 1, count: 32))),
            ec(x: Array(key[10..<42]), y: .truth(true)),
            ec(x: Array(key[10..<41]), y: .bytes(Array(key[45...]))),
            ec(x: Array(key[10..<42]), y: .bytes(Array(key[45...])), curve: 2),
            ec(x: Array(key[10..<42]), y: .bytes(Array(key[45...])), algorithm: -35),
            CBORValue.map([]).encoded, CBORValue.array([]).encoded,
        ]
        for (place, key) in keys.enumerated() { #expect(code(attested(key)) == .unsupportedKey, "\(place)") }
        #expect(code(attested(ec(x: Array(key[10..<42]), y: .bytes(Array(key[45...]))))) == nil)
        let extra = try CBORReader.value(of: key).members ?? []
        let named = CBORValue.map([extra[0], .init(.number(2), .bytes([1]))] + extra.dropFirst()).encoded
        #expect(code(attested(named)) == .unsupportedKey, "a member that is not needed")
    }

    private func ed25519(type: Int = 1, algorithm: Int = -8, curve: Int = 6, count: Int = 32) -> [UInt8] {
        CBORValue.map([
            .init(.number(1), .number(type)), .init(.number(3), .number(algorithm)), .init(.number(-1), .number(curve)),
            .init(.number(-2), .bytes([UInt8](repeating: 5, count: count))),
        ]).encoded
    }

    private func ec(x: [UInt8], y: CBORValue, curve: Int = 1, algorithm: Int = -7) -> [UInt8] {
        CBORValue.map([
            .init(.number(1), .number(2)), .init(.number(3), .number(algorithm)), .init(.number(-1), .number(curve)),
            .init(.number(-2), .bytes(x)), .init(.number(-3), y),
        ]).encoded
    }
}
