import CountersignWire
import Foundation
import Testing

@Suite("The keys that a client sends")
struct SubmittedKeySetTests {
    /// Standard: the example of RFC 7517 A.1.
    @Test(arguments: [(0, true), (256, true), (257, false)])
    func `have identifiers of a limited length`(length: Int, isTaken: Bool) throws {
        let key = """
            {"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
            "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","kid":"\(String(repeating: "k", count: length))"}
            """
        let sent = try JSONDecoder().decode(SubmittedKeySet.self, from: Data("{\"keys\":[\(key)]}".utf8))
        let keys = try? sent.checked()
        #expect((keys != nil) == isTaken)
    }
}
