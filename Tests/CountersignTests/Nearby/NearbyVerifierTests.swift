import Countersign
import CountersignTesting
import Testing

@Suite("A nearby verifier")
struct NearbyVerifierTests {
    /// The vector of the link's own specification.
    @Test func `has the challenge of the specification`() throws {
        let verifier = try #require(NearbyVerifier(revealing: [UInt8](repeating: 2, count: 32)))
        #expect(verifier.challenge.description == "jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIU")
        #expect(NearbyChallenge(parsing: "jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIU") == verifier.challenge)
    }

    @Test func `is drawn anew, read as it is written, and printed as redacted`() throws {
        let verifier = NearbyVerifier(drawingFrom: .system)
        #expect(verifier != NearbyVerifier(drawingFrom: .system))
        #expect(NearbyVerifier(parsing: verifier.revealed) == verifier)
        #expect(NearbyVerifier(revealing: verifier.revealedBytes) == verifier)
        var dumped = "\(verifier) \(String(reflecting: verifier))"
        dump(verifier, to: &dumped)
        #expect(!dumped.contains(verifier.revealed) && dumped.contains("redacted"))
    }

    @Test(arguments: [0, 31, 33])
    func `has 32 bytes, and so has a link`(count: Int) {
        #expect(NearbyVerifier(revealing: [UInt8](repeating: 2, count: count)) == nil)
        #expect(NearbyLinkID([UInt8](repeating: 2, count: count)) == nil)
    }

    @Test(arguments: [
        "", "x", "jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIU=", "jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIV",
        "jFN1XH+IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIU", " jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlI",
    ])
    func `is nothing else than base64url of them, and so are challenges and links`(text: String) {
        #expect(NearbyVerifier(parsing: text) == nil)
        #expect(NearbyChallenge(parsing: text) == nil)
        #expect(NearbyLinkID(parsing: text) == nil)
    }
}
