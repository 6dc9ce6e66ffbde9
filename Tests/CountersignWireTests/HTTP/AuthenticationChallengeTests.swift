import Testing

@testable import CountersignWire

@Suite("A challenge")
struct AuthenticationChallengeTests {
    @Test func `for a bearer token names the realm, the error and further parameters in their order`() {
        #expect(AuthenticationChallenge.bearer(realm: "a\"b\\c") == #"Bearer realm="abc""#)
        let whole = AuthenticationChallenge.bearer(
            realm: "a", error: .insufficientScope, description: "more is needed", [#"scope="b c""#])
        #expect(
            whole
                == #"Bearer realm="a", error="insufficient_scope", error_description="more is needed", scope="b c""#)
    }
}
