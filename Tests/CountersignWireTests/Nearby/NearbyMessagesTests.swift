import Countersign
import Crypto
import Foundation
import Testing

@testable import CountersignWire

@Suite("The messages of nearby sign-in")
struct NearbyMessagesTests {
    private static func link(_ number: UInt8) -> NearbyLinkID? {
        NearbyLinkID([UInt8](repeating: number, count: 32))
    }

    private static let shown = ApproverLook(
        exchange: SignInRequest.ID("exchange"),
        nonce: DecisionNonce(revealing: "nonce"),
        client: .asserted(ClientID("tv")),
        clientName: .asserted("The “TV”"),
        scope: Scope([.openid]),
        asked: 1_800_000_000,
        expires: 1_800_000_300,
        serverTime: 1_800_000_000,
        accountName: "Anna",
        details: NearbyLook(address: nil, sameNetwork: .unknown)
    )

    private func claims(_ proof: NearbyFinding.Proof) throws -> DecisionClaims {
        DecisionClaims(
            .approve,
            by: .nearby(NearbyFinding(link: try #require(Self.link(3)), proof: proof)),
            on: Self.shown,
            shown: AnswerDigest(of: [1, 2, 3]),
            audience: "https://id.example",
            issued: 1_800_000_000,
            id: "id"
        )
    }

    @Test func `carry links in a token request, which is read as it was written`() throws {
        let links = NearbyLinks([1, 2, 1, 3].compactMap(Self.link))
        #expect(links.ids == [1, 2, 3].compactMap(Self.link))
        let request = TokenRequest.deviceCode(DeviceCode(revealing: "code"), over: links)
        #expect(request.form["nearby_link"]?.split(separator: " ").count == 3)
        #expect(try TokenRequest(form: request.form) == request)
        #expect(TokenRequest.deviceCode(DeviceCode(revealing: "code")).form["nearby_link"] == nil)
        #expect(NearbyLinks((0..<20).compactMap(Self.link)).ids == (12..<20).compactMap(Self.link))
    }

    @Test func `name what a phone looks at, which is read as it was written`() throws {
        let request = ApproverLookRequest.nearby(UserCodeText("WDJB-MJHT"), NearbyVerifier(drawingFrom: .system))
        #expect(try ApproverLookRequest(form: request.form) == request)
        let response = ApproverLookResponse.decide(Self.shown)
        let bytes = try JSONEncoder().encode(response)
        #expect(try JSONDecoder().decode(ApproverLookResponse<NearbyLook>.self, from: bytes) == response)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ApproverLookResponse<InboxLook>.self, from: bytes)
        }
    }

    @Test func `hold the number that a person typed, in its one form`() throws {
        let link = try #require(Self.link(3))
        let finding = NearbyFinding(link: link, proof: .code, number: "07")
        let written = try JSONEncoder().encode(finding)
        #expect(try JSONDecoder().decode(NearbyFinding.self, from: written) == finding)
        for number in ["7", "007", "1a", ""] {
            let text = #"{"lnk":"\#(link)","how":"code","num":"\#(number)"}"#
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(NearbyFinding.self, from: Data(text.utf8)) }
        }
    }

    @Test(arguments: [NearbyFinding.Proof.code, .paired(at: 1_700_000_000)])
    func `hold a decision that is verified by its key, and by no other`(proof: NearbyFinding.Proof) throws {
        let (mine, other) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let key = try #require(ApproverKey(rawRepresentation: mine.publicKey.rawRepresentation))
        let otherKey = try #require(ApproverKey(rawRepresentation: other.publicKey.rawRepresentation))
        let claims = try claims(proof)
        let text = try UnverifiedDecision.text(of: claims, by: key) { bytes in
            Array(try mine.signature(for: bytes).rawRepresentation)
        }
        let read = try ApproverDecideRequest(form: ApproverDecideRequest.form(with: text)).decision
        #expect(read.key == key && read.text == text && "\(read)" == "UnverifiedDecision(redacted)")
        #expect(try read.claims(signedBy: key) == claims)
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try read.claims(signedBy: otherKey) }
        let parts = text.split(separator: ".").map(String.init)
        for index in parts.indices {
            var changed = parts
            let first = changed[index].removeFirst()
            changed[index] = (first == "A" ? "B" : "A") + changed[index]
            #expect(throws: OAuthError(.invalidRequest, because: "")) {
                try UnverifiedDecision(changed.joined(separator: ".")).claims(signedBy: key)
            }
        }
    }

    @Test func `hold keys as JSON, of which only the public half is read`() throws {
        let key = try #require(ApproverKey(rawRepresentation: P256.Signing.PrivateKey().publicKey.rawRepresentation))
        let json = try JSONEncoder().encode(key)
        #expect(try JSONDecoder().decode(ApproverKey.self, from: json) == key)
        var members = try #require(JSONSerialization.jsonObject(with: json) as? [String: String])
        members["d"] = members["x"]
        let secret = try JSONSerialization.data(withJSONObject: members)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ApproverKey.self, from: secret) }
        #expect(ApproverKey(rawRepresentation: [UInt8](repeating: 0, count: 64)) == nil)
        #expect(ApproverKey(rawRepresentation: [UInt8](repeating: 1, count: 64)) == nil)
    }

    /// Standard: RFC 7638 §3.1 names the form; the key is that of RFC 7517 Appendix A.1.
    @Test func `name a key by its thumbprint`() throws {
        let x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
        let y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
        let json = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","use":"enc","kid":"1"}"#
        let key = try JSONDecoder().decode(ApproverKey.self, from: Data(json.utf8))
        #expect(key.thumbprint == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", SameNetwork.yes), ("::ffff:192.0.2.1", "192.0.2.1", .yes),
        ("192.0.2.1", "192.0.2.2", .no), ("192.168.1.7", "192.168.1.9", .yes), ("192.168.1.7", "192.168.2.7", .no),
        ("10.1.2.3", "10.1.2.250", .yes), ("172.16.0.1", "172.16.0.2", .yes), ("172.32.0.1", "172.32.0.2", .no),
        ("100.64.0.1", "100.64.0.2", .no), ("127.0.0.1", "127.0.0.2", .no), ("127.0.0.1", "::1", .yes),
        ("::1", "::1", .yes), ("192.0.2.1", "::1", .unknown), ("2001:db8::1", "2001:db8::ffff:1", .yes),
        ("2001:db8::1", "2001:db8:0:1::1", .no), ("2001:db8::1", "192.0.2.1", .unknown),
        ("fe80::1%eth0", "fe80::2%eth1", .unknown), ("169.254.1.1", "169.254.1.1", .unknown),
        ("nonsense", "nonsense", .unknown), ("127.0.0.1", "127.0.0.1", .yes), ("::1", "::1", .yes),
        // All of IPv4 is in one network of a translator, so what it stands for is compared.
        ("64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2", .no), ("64:ff9b::192.0.2.1", "192.0.2.1", .yes),
        ("64:ff9b::10.0.0.1", "64:ff9b::10.0.0.1", .unknown), ("64:ff9b:1::1", "64:ff9b:1::1", .unknown),
    ])
    func `tell of two addresses whether they are of one network`(one: String, other: String, expected: SameNetwork) {
        #expect(SameNetwork(one, other) == expected)
        #expect(SameNetwork(other, one) == expected)
        #expect(SameNetwork(one, nil) == .unknown)
    }
}
