import CountersignTesting
import Testing

@testable import CountersignWire

/// Standard: RFC 8949 appendix A; CTAP 2.2 §8.
@Suite("CBOR")
struct CBORTests {
    private func problem(_ hex: String) -> CBORError? {
        do throws(CBORError) {
            _ = try CBORReader.value(of: [UInt8](hex: hex))
            return nil
        } catch {
            return error
        }
    }

    /// RFC 8949 appendix A, as far as authenticators use it.
    @Test(arguments: [
        ("00", CBORValue.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
        ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .number(-1)),
        ("3863", .number(-100)), ("3903e7", .number(-1000)), ("3bffffffffffffffff", .negative(.max)),
        ("f4", .truth(false)),
        ("f5", .truth(true)), ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
        ("60", .text("")),
        ("6449455446", .text("IETF")), ("62c3bc", .text("ü")), ("80", .array([])),
        (
            "8301820203820405",
            .array([.number(1), .array([.number(2), .number(3)]), .array([.number(4), .number(5)])])
        ),
        ("a0", .map([])),
        ("a201020304", .map([.init(.number(1), .number(2)), .init(.number(3), .number(4))])),
        (
            "a26161016162820203",
            .map([.init(.text("a"), .number(1)), .init(.text("b"), .array([.number(2), .number(3)]))])
        ),
        // Members in an order of their own.
        ("a203010102", .map([.init(.number(3), .number(1)), .init(.number(1), .number(2))])),
        ("a220010102", .map([.init(.number(-1), .number(1)), .init(.number(1), .number(2))])),
        ("a262616101616201", .map([.init(.text("aa"), .number(1)), .init(.text("b"), .number(1))])),
    ])
    func `is read and written as in the standard`(hex: String, value: CBORValue) throws {
        #expect(try CBORReader.value(of: [UInt8](hex: hex)) == value)
        #expect(value.encoded == [UInt8](hex: hex))
    }

    @Test(arguments: [
        ("", CBORError.truncated), ("18", .truncated), ("1903", .truncated), ("42ff", .truncated),
        ("82ff", .truncated),
        ("a101", .truncated), ("5bffffffffffffffff", .truncated), ("9bffffffffffffffff", .truncated),
        ("bb7fffffffffffffff", .truncated), ("1817", .notShortest), ("1900ff", .notShortest),
        ("1a0000ffff", .notShortest),
        ("1b00000000ffffffff", .notShortest), ("580100", .notShortest), ("5f4101ff", .indefiniteLength),
        ("7f6161ff", .indefiniteLength), ("9fff", .indefiniteLength), ("bfff", .indefiniteLength),
        ("ff", .indefiniteLength),
        ("c001", .unsupported), ("d818" + "4100", .unsupported), ("f90000", .unsupported),
        ("fb3ff199999999999a", .unsupported),
        ("f7", .unsupported), ("f0", .unsupported), ("f8ff", .unsupported), ("1c", .unsupported), ("61ff", .notUTF8),
        ("62c328", .notUTF8), ("a1f501", .unsupportedName), ("a1410101", .unsupportedName),
        ("a1800101", .unsupportedName),
        ("a201010102", .repeatedName), ("a3010102020103", .repeatedName), ("a3616101616202616103", .repeatedName),
        ("0000", .trailingBytes),
        ("a000", .trailingBytes),
    ])
    func `is refused when it is not in canonical form`(hex: String, reason: CBORError) {
        #expect(problem(hex) == reason, "\(hex)")
    }

    @Test func `is nested four deep at most`() {
        #expect(problem("8181818100") == nil)
        #expect(problem("818181818100") == .tooDeep)
        #expect(problem("a101a101a101a101a10100") == .tooDeep)
        #expect(problem(String(repeating: "81", count: 60_000)) == .tooDeep)
    }

    @Test func `has an end`() {
        #expect(problem(String(repeating: "00", count: CBORReader.largest + 1)) == .tooLarge)
        #expect(problem("5a00010000" + String(repeating: "00", count: 65_536)) == .tooLarge)
        #expect(problem("99fff0" + String(repeating: "00", count: 65_520)) == nil)
    }

    @Test func `has one spelling for each value`() {
        let random = SeededRandom(seed: 8949)
        var read = 0
        for _ in 0..<200_000 {
            let bytes = random.bytes(1 + Int(random.next() % 12))
            guard let (value, count) = try? CBORReader.prefix(of: bytes[...]) else { continue }
            read += 1
            #expect(value.encoded == Array(bytes[..<count]))
        }
        #expect(read > 10_000)
    }
}

extension [UInt8] {
    /// Bytes written in hexadecimal.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
