@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("A message of a link")
struct LinkMessageTests {
    private static func messages() throws -> [LinkMessage] {
        let nonce = LinkNonce(drawingFrom: SeededRandom(seed: 1).source)
        let digest = LinkDigest(of: [1])
        let name = try Fixture.name("Wohnzimmer ü")
        return [
            .ask(LinkMessage.Ask(kind: .bytes, wantsPairing: false, requestDigest: digest, name: name)),
            .ask(LinkMessage.Ask(kind: .server, wantsPairing: true, requestDigest: digest, name: name)),
            .commit(.first, digest), .wait(place: 4), .ready(.first, nonce), .typed(.first, digest),
            .reveal(.first, nonce), .open(.first, nonce), .missed(.first), .trusted,
            .request(salt: nonce, body: [0]),
            .decision(LinkMessage.Decision(approves: true, pairs: true, name: name, total: 5, digest: digest)),
            .decision(LinkMessage.Decision(approves: false, pairs: false, name: name, total: 0, digest: .zero)),
            .part([1, 2, 3]), .done(paired: true), .alive, .end(.serverRefused),
        ]
    }

    @Test func `is read as it is written, and never with bytes behind it or without its last one`() throws {
        for message in try Self.messages() {
            #expect(LinkMessage(parsing: message.bytes) == message)
            // Only these end with bytes of any number.
            let isOpenEnded =
                switch message {
                case .part, .request: true
                default: false
                }
            #expect((LinkMessage(parsing: message.bytes + [0]) == nil) != isOpenEnded)
            if !isOpenEnded { #expect(LinkMessage(parsing: message.bytes.dropLast()) == nil) }
        }
    }

    @Test(arguments: [
        "", "00", "10", "ff", "0300", "0305", "0800", "0804", "0d02", "0f00", "0f0d", "0c", "0900", "0e00",
    ])
    func `is refused when its fields cannot be`(hex: String) {
        #expect(LinkMessage(parsing: Hex.bytes(hex)) == nil)
    }

    @Test func `is refused with a kind, a wish or a name that cannot be`() throws {
        let ask = try #require(try Self.messages().first).bytes
        for (place, byte) in [(1, UInt8(0)), (1, 3), (2, 2), (2, 0x80), (35, 0), (35, 1), (36, 0xFF)] {
            var bytes = ask
            bytes[place] = byte
            #expect(LinkMessage(parsing: bytes) == nil, "byte \(place)")
        }
    }

    @Test func `has names of 1 to 64 bytes`() throws {
        #expect(PeerName("") == nil)
        #expect(PeerName(String(repeating: "a", count: 64)) != nil)
        #expect(PeerName(String(repeating: "a", count: 65)) == nil)
        #expect(PeerName(String(repeating: "ü", count: 33)) == nil)
        #expect(PeerName(cutting: String(repeating: "ü", count: 33))?.asSaid.count == 32)
        #expect(PeerName(cutting: "") == nil)
    }

    @Test(arguments: [
        ("Living room", "Living room"), ("a\u{0}b\u{1B}[31m\n", "ab[31m"),
        ("abc\u{202E}def\u{2066}\u{200F}", "abcdef"),
        ("\u{200B}\u{FEFF}", "?"), ("\u{2028}x\u{2029}", "x"), ("   ", "?"), ("\u{E000}y", "y"),
    ])
    func `shows no sign without a shape, or that turns the line round`(said: String, shown: String) throws {
        #expect(try Fixture.name(said).shown == shown)
    }

    @Test func `has parts of 1 to 65,518 bytes`() {
        #expect(LinkMessage(parsing: [0x0C] + [UInt8](repeating: 0, count: 65_518)) != nil)
        #expect(LinkMessage(parsing: [0x0C] + [UInt8](repeating: 0, count: 65_519)) == nil)
    }

    @Test(arguments: ["00", "0161", "02", "0261", "01ff", "016100"])
    func `has a body of its kind and nothing behind it`(hex: String) {
        let isGood = hex == "00" || hex == "0161"
        #expect((RequestBody.parsed(Hex.bytes(hex), as: .bytes) != nil) == isGood)
        #expect(RequestBody.parsed(Hex.bytes(hex), as: .server) == nil)
    }
}
