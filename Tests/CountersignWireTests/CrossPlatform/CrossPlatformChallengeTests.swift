import CountersignWire
import Testing

/// Standard: ETSI TS 103 407 Annex A.2.
@Suite("Where a service says that its tokens come from")
struct CrossPlatformChallengeTests {
    private let usual = CrossPlatformChallenge(
        name: "Our AP",
        uri: "https://login.example.org/ap",
        modes: [.client, .user]
    )

    @Test func `is written with single spaces, as its readers expect`() {
        #expect(
            usual.headerValue
                == #"CPA version="1.0" name="Our AP" uri="https://login.example.org/ap" modes="client,user""#
        )
        #expect(CrossPlatformChallenge(headerValues: [usual.headerValue]) == usual)
    }

    @Test(arguments: [
        #"CPA version="1.0", name="Our AP", uri="https://login.example.org/ap", modes="client, user""#,
        #"cpa modes="client,user" uri="https://login.example.org/ap"  name="Our AP""#,
        #"Bearer realm="CPA uri=", CPA name="Our AP" uri="https://login.example.org/ap" modes="client,user""#,
        #"Basic realm="x\" CPA uri=\"y", CPA name="Our AP" uri=https://login.example.org/ap modes="client,other,user""#,
    ])
    func `is found however it is written`(value: String) {
        #expect(CrossPlatformChallenge(headerValues: ["Bearer", value]) == usual)
    }

    @Test(arguments: [
        "", "CPA", "CPA ", "CPA uri", #"CPA uri="" modes="user""#, #"CPA uri="https://a.example""#,
        #"CPA uri="https://a.example" modes="other""#, #"Bearer uri="https://a.example" modes="user""#,
        #"XCPA uri="https://a.example" modes="user""#, #"CPA="x" uri="https://a.example" modes="user""#,
        #"Bearer realm="CPA uri="https://a.example" modes="user"#,
    ])
    func `is not found where there is none`(value: String) {
        #expect(CrossPlatformChallenge(headerValues: [value]) == nil)
    }

    @Test func `holds no name that could end it early, nor another header`() {
        let name = "\"\r\nSet-Cookie: a=b\\é\u{7F}"
        let challenge = CrossPlatformChallenge(name: name, uri: "https://a.example", modes: [.user])
        #expect(
            challenge.headerValue == #"CPA version="1.0" name="Set-Cookie: a=b" uri="https://a.example" modes="user""#
        )
    }

    @Test func `is read in time that grows with its length only`() {
        let long = String(repeating: "CPA ", count: 50_000) + String(repeating: "\"", count: 50_000)
        #expect(CrossPlatformChallenge(headerValues: [long]) == nil)
    }
}
