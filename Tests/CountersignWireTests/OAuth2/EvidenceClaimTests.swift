import Countersign
import Foundation
import Testing

@testable import CountersignWire

@Suite("The claim about evidence")
struct EvidenceClaimTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let password = Evidence.Proof.accountPassword(at: noon)
    private static let exchanged = Evidence.Proof.federated(
        issuer: IdentityIssuer("https://other.example"), how: .idToken, at: noon)

    /// Evidence, and the claim as a token has it.
    private static let vectors: [([Evidence.Proof], String)] = [
        (
            [],
            #"{"device_key":false,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false}"#
        ),
        (
            [.codeTyped, password],
            #"{"device_key":false,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false,"way":"code"}"#
        ),
        (
            [.personCodeTyped, password, .decisionSigned],
            #"{"device_key":true,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false,"way":"code"}"#
        ),
        (
            [.linkOpened, password, .network(.yes)],
            #"{"device_key":false,"network":"same","number_matched":false,"proximity":"network","user_verified":false,"way":"code"}"#
        ),
        (
            [.linkOpened, .passkey(at: noon), .numberMatched, .network(.no), .userVerified(at: noon)],
            #"{"device_key":false,"network":"other","number_matched":true,"proximity":"none","user_verified":true,"way":"code"}"#
        ),
        (
            [password, .nearby(how: .code, sameNetwork: .no)],
            #"{"device_key":true,"network":"other","number_matched":true,"proximity":"link","user_verified":false,"way":"nearby"}"#
        ),
        (
            [.codeTyped, password, .nearby(how: .paired(at: noon), sameNetwork: .yes)],
            #"{"device_key":true,"network":"same","number_matched":false,"proximity":"link","user_verified":false,"way":"nearby"}"#
        ),
        (
            [.codeTyped, password, .nearby(how: .paired(at: noon), sameNetwork: .unknown)],
            #"{"device_key":true,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false,"way":"nearby"}"#
        ),
        (
            [password, .redirected],
            #"{"device_key":false,"network":"unknown","number_matched":false,"proximity":"redirect","user_verified":false,"way":"browser"}"#
        ),
        (
            [password, .redirected, .decisionSigned],
            #"{"device_key":true,"network":"unknown","number_matched":false,"proximity":"redirect","user_verified":false,"way":"app"}"#
        ),
        (
            [password, .namedByClient, .decisionSigned, .verifiedByDevice(at: noon), .numberMatched],
            #"{"device_key":true,"network":"unknown","number_matched":true,"proximity":"none","user_verified":true,"way":"push"}"#
        ),
        (
            [.signedInBefore, password],
            #"{"device_key":false,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false,"way":"sign_on"}"#
        ),
        (
            [password, .ticketPresented],
            #"{"device_key":false,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false,"way":"ticket"}"#
        ),
        (
            [exchanged],
            #"{"device_key":false,"network":"unknown","number_matched":false,"proximity":"none","user_verified":false,"way":"exchange"}"#
        ),
    ]

    @Test(arguments: vectors)
    func `says what was proved, and no more`(proofs: [Evidence.Proof], json: String) throws {
        let claim = EvidenceClaim(Evidence(proofs))
        #expect(String(decoding: CompactJSON.bytes(of: claim), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(EvidenceClaim.self, from: Data(json.utf8)) == claim)
        #expect(JSONMembers(Array(json.utf8)).map { EvidenceClaim($0) } == claim)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(claim), as: UTF8.self) == json)
    }

    @Test(arguments: [
        #"{}"#, #"{"way":"dream","proximity":"kissing","network":7,"device_key":"yes","number_matched":1}"#,
        #"{"proximity":null,"user_verified":null,"more":{"way":"nearby"}}"#,
    ])
    func `of another server proves nothing by words that are not known`(json: String) throws {
        let nothing = EvidenceClaim(Evidence())
        #expect(try JSONDecoder().decode(EvidenceClaim.self, from: Data(json.utf8)) == nothing)
        #expect(JSONMembers(Array(json.utf8)).map { EvidenceClaim($0) } == nothing)
    }

    @Test func `reaches the classes that tell of the answer`() {
        let classes: [AuthenticationClass] = [.nearby, .number, .deviceKey, .userVerified, .password]
        func reached(_ proofs: [Evidence.Proof]) -> [AuthenticationClass] {
            classes.filter(EvidenceClaim(Evidence(proofs)).reaches)
        }
        #expect(reached([.codeTyped, Self.password, .network(.yes)]).isEmpty)
        #expect(reached([.linkOpened, .numberMatched, Self.password]) == [.number])
        let verified: [Evidence.Proof] = [.namedByClient, .decisionSigned, .verifiedByDevice(at: Self.noon)]
        #expect(reached(verified) == [.deviceKey, .userVerified])
        #expect(reached([Self.password, .nearby(how: .code, sameNetwork: .no)]) == [.nearby, .number, .deviceKey])
        #expect(reached([Self.password, .redirected]) == [.nearby, .number])
    }

    @Test func `of an ID token is read with it, or left out if it is none`() throws {
        let claim = EvidenceClaim(Evidence([Self.password, .redirected]))
        var claims = IDTokenClaims(
            issuer: "https://id.example", subject: Subject("anna"), audience: Audience(["tv"]), expires: 2, issued: 1)
        claims.evidence = claim
        let bytes = CompactJSON.bytes(of: claims)
        #expect(try IDTokenClaims(try #require(JSONMembers(bytes))).evidence == claim)
        for (screen, read) in [(#""s1""#, RememberedScreenID("s1")), ("7", nil), ("{}", nil)] {
            let json = #"{"iss":"a","sub":"b","aud":"c","exp":2,"iat":1,"countersign_screen":\#(screen)}"#
            #expect(try IDTokenClaims(try #require(JSONMembers(Array(json.utf8)))).screen == read)
        }
        for broken in ["7", "\"nearby\"", "[]", "null"] {
            let json = #"{"iss":"a","sub":"b","aud":"c","exp":2,"iat":1,"countersign_evidence":\#(broken)}"#
            #expect(try IDTokenClaims(try #require(JSONMembers(Array(json.utf8)))).evidence == nil)
        }
    }
}
