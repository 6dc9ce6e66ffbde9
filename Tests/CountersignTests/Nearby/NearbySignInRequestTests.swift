import Countersign
import Testing

@Suite("A request that a screen hands to a phone")
struct NearbySignInRequestTests {
    @Test(arguments: [
        (1, 1, true), (2_048, 255, true), (0, 9, false), (2_049, 9, false), (9, 0, false), (9, 256, false),
    ])
    func `names its issuer in 1 to 2,048 bytes and has a code of 1 to 255`(issuer: Int, code: Int, isGood: Bool) {
        let request = NearbySignInRequest(
            issuer: String(repeating: "i", count: issuer),
            userCode: UserCodeText(String(repeating: "c", count: code)),
            verifier: NearbyVerifier(drawingFrom: .system)
        )
        #expect((request != nil) == isGood)
    }
}
