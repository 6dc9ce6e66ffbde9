import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

@Suite("The trial of an OpenID provider")
struct ProviderDiagnosisTests {
    private static let issuer = Result { try Issuer("https://here.example") }
    private static let address = "Register this address at the provider: https://here.example/login/with/work/callback"

    /// The findings about a provider that runs on this machine, and that knows this server.
    private func findings(
        knowing secret: String = "secret",
        naming issuer: @autoclosure () throws -> Issuer? = try issuer.get(),
        clockAhead seconds: Double? = nil,
        returningTo redirects: [String] = ["https://here.example/login/with/work/callback"],
        breaking change: (OpenIDProvider) -> Void = { _ in },
        editing edit: (inout IdentityProvider.OpenID) -> Void = { _ in }
    ) async throws -> [ProviderDiagnosis.Finding] {
        let clock = ManualClock()
        let other = try await OpenIDProvider.start(clock: clock.source, drawingFrom: SeededRandom(seed: 3).source)
        let client = ClientID("here")
        var settings = IdentityProvider.OpenID(client: client, credential: .secret("secret"))
        edit(&settings)
        other.register(
            client,
            secret: ClientSecret(revealing: secret),
            returningTo: redirects
        )
        change(other)
        let check = ProviderDiagnosis(
            of: IdentityProvider(
                id: IdentityProvider.ID("work"),
                displayName: "Work",
                issuer: IdentityIssuer(other.issuer),
                kind: .openID(settings),
                created: clock.date
            ),
            for: try issuer(),
            over: DatedTransport(time: seconds.map { clock.date + $0 }),
            clock: clock.source,
            random: .system
        )
        let findings = await check.findings()
        await other.stop()
        return findings
    }

    private func metadata(_ members: String) -> ProviderFault {
        .answer(200, type: "application/json", body: "{\(members)}")
    }

    @Test func `finds no fault in a provider that works`() async throws {
        let findings = try await findings(clockAhead: 0)
        #expect(findings.map(\.isGood) == [true, true, true, true, true])
        #expect(findings[0].sentence.hasSuffix("can be read."))
        #expect(findings[1].sentence == "It has 1 usable key.")
        #expect(findings[2].sentence == "The clocks agree.")
        #expect(findings[3].sentence == "It accepts the client identifier and credential.")
        #expect(findings[4].sentence == "It sends browsers back to https://here.example/login/with/work/callback.")
    }

    @Test func `says that the address to come back to is not registered`() async throws {
        let findings = try await findings(returningTo: ["https://here.example/login/with/work/callback2"])
        let wrong = findings.filter { !$0.isGood }
        #expect(wrong.count == 1 && wrong.first?.sentence.contains("shows an error (400)") == true)
        #expect(wrong.first?.sentence.contains("https://here.example/login/with/work/callback,") == true)
    }

    @Test(arguments: [
        (ProviderFault.answer(200, type: "text/html", body: "<form>"), true, "answers 200"),
        (.status(403), false, "shows an error (403)"), (.reset, false, "can’t be used"),
        (.status(503), false, "can’t be used: status 503"),
    ])
    func `says what came of the page to sign in at`(fault: ProviderFault, isGood: Bool, words: String) async throws {
        let last = try #require(try await findings { $0.fail(at: .authorization, with: fault) }.last)
        #expect(last.isGood == isGood && last.sentence.contains(words), "\(last.sentence)")
        #expect(!isGood || last.sentence.hasPrefix("\(Self.address). Whether that is done can’t be told"))
    }

    private static let here = "https://here.example/login/with/work/callback"

    @Test(arguments: [
        ("\(here)?error=login_required", RedirectTrial.cameBack), ("\(here)", .cameBack),
        ("\(here)#error=a", .cameBack),
        ("\(here)2?error=login_required", .refused(302)), ("https://id.example/signin/oauth/error?a", .refused(302)),
        ("https://id.example/login", .unknown(302)), ("", .unknown(302)),
    ])
    func `tells the way back from other redirects`(location: String, expected: RedirectTrial) {
        let response = HTTPResponse(status: .found, headerFields: [.location: location])
        #expect(RedirectTrial(HTTPAnswer(response), to: Self.here, isPosted: false) == expected)
    }

    @Test func `knows an answer that is posted by a page`() {
        let body = Array(#"<form method="post" action="\#(Self.here)"><input name="error"></form>"#.utf8)
        let answer = HTTPAnswer(HTTPResponse(status: .ok), body: body)
        #expect(RedirectTrial(answer, to: Self.here, isPosted: true) == .cameBack)
        #expect(RedirectTrial(answer, to: Self.here, isPosted: false) == .unknown(200))
        #expect(RedirectTrial(answer, to: "\(Self.here)2", isPosted: true) == .unknown(200))
    }

    @Test func `counts keys of each kind that is verified`() async throws {
        let findings = try await findings {
            $0.signByRSA()
            $0.signByEd25519()
        }
        #expect(findings.contains(ProviderDiagnosis.Finding(isGood: true, sentence: "It has 3 usable keys.")))
    }

    @Test(arguments: [
        (#""use":"enc""#, 1), (#""alg":"RS512""#, 1), (#""alg":"RSA-OAEP""#, 1), (#""use":"sig""#, 2),
    ])
    func `counts the keys alone that it can use`(member: String, usable: Int) async throws {
        let modulus = URLSafeText.encode([UInt8](repeating: 0xFF, count: 256))
        let curve = P256.Signing.PrivateKey().publicKey.rawRepresentation
        let (x, y) = (URLSafeText.encode(curve.prefix(32)), URLSafeText.encode(curve.suffix(32)))
        let body = """
            {"keys":[{"kty":"EC","kid":"good","crv":"P-256","x":"\(x)","y":"\(y)"},
            {"kty":"EC","kid":"odd","crv":"P-521","x":"\(x)","y":"\(y)"},
            {"kty":"RSA","kid":"short","n":"AQAB","e":"AQAB"},
            {"kty":"EC","kid":"twice","crv":"P-256","x":"\(x)","y":"\(y)"},
            {"kty":"EC","kid":"twice","crv":"P-256","x":"\(x)","y":"\(y)"},
            {"kty":"RSA","kid":"other","n":"\(modulus)","e":"AQAB",\(member)}]}
            """
        let findings = try await findings {
            $0.fail(at: .keys, with: .answer(200, type: "application/json", body: body))
        }
        let sentence = "It has \(usable) usable key\(usable == 1 ? "" : "s"); \(6 - usable) more cannot be used here."
        #expect(findings.contains(ProviderDiagnosis.Finding(isGood: true, sentence: sentence)), "\(findings)")
    }

    @Test func `says that the credential is not accepted`() async throws {
        let findings = try await findings(knowing: "another")
        #expect(findings.filter { !$0.isGood }.map(\.sentence.first) == ["I"])
        #expect(findings.contains { $0.sentence.hasPrefix("It does not accept the client identifier or credential") })
    }

    @Test(arguments: [(61.0, "61 seconds ahead of"), (-90, "90 seconds behind")])
    func `says that the clocks differ`(seconds: Double, words: String) async throws {
        let findings = try await findings(clockAhead: seconds)
        let wrong = findings.filter { !$0.isGood }
        #expect(wrong.count == 1 && wrong.first?.sentence.contains(words) == true)
    }

    @Test(arguments: [-60.0, 60])
    func `says that the clocks agree within a minute`(seconds: Double) async throws {
        #expect(try await findings(clockAhead: seconds).allSatisfy(\.isGood))
    }

    @Test(arguments: [
        (ProviderFault.reset, "can’t be reached"), (.status(503), "can’t serve now"),
        (.status(404), "has no usable metadata"), (.badUTF8, "has no usable metadata"),
        (.answer(200, type: "text/html", body: "<html>"), "has no usable metadata"),
        (.huge, "has no usable metadata"), (.missing("jwks_uri"), "has no usable metadata: there is no jwks_uri"),
        (.missing("issuer"), "has no usable metadata"),
    ])
    func `says why there are no metadata`(fault: ProviderFault, words: String) async throws {
        let findings = try await findings { $0.fail(at: .discovery, with: fault) }
        #expect(findings.map(\.isGood) == [false, true])
        #expect(findings[0].sentence.contains(words), "\(findings[0].sentence)")
    }

    @Test func `says that another issuer answers`() async throws {
        let other = metadata(#""issuer":"https://other.example","jwks_uri":"https://other.example/jwks""#)
        let findings = try await findings { $0.fail(at: .discovery, with: other) }
        #expect(findings[0].sentence.contains("the metadata are those of https://other.example"))
        #expect(findings[0].sentence.hasSuffix("Add the provider with exactly that issuer."))
    }

    /// As Microsoft answers under `common`.
    @Test func `says that one directory has to be named where an issuer stands for many`() async throws {
        let template = metadata(
            #""issuer":"https://login.microsoftonline.com/{tenantid}/v2.0","jwks_uri":"https://a.example/jwks""#)
        let findings = try await findings { $0.fail(at: .discovery, with: template) }
        #expect(!findings[0].isGood && findings[0].sentence.contains("stands for many directories"))
        #expect(findings[0].sentence.contains("--tenant"))
    }

    @Test(arguments: [
        (ProviderFault.status(404), "can’t be read"),
        (.answer(200, type: "application/json", body: "{}"), "can’t be read"),
        (.answer(200, type: "application/json", body: #"{"keys":[]}"#), "There are no usable keys"),
    ])
    func `says what is wrong with the keys`(fault: ProviderFault, words: String) async throws {
        let wrong = try await findings { $0.fail(at: .keys, with: fault) }.filter { !$0.isGood }
        #expect(wrong.count == 1 && wrong.first?.sentence.contains(words) == true)
    }

    @Test(arguments: [
        ("authorization_endpoint", "no page to sign in at"), ("token_endpoint", "--token-endpoint"),
    ])
    func `says what is not offered`(member: String, words: String) async throws {
        let findings = try await findings { $0.fail(at: .discovery, with: .missing(member)) }
        #expect(findings.contains { !$0.isGood && $0.sentence.contains(words) })
    }

    @Test func `says that PKCE or the algorithms are others`() async throws {
        let findings = try await findings { other in
            let base = other.issuer
            other.fail(
                at: .discovery,
                with: metadata(
                    """
                    "issuer":"\(base)","jwks_uri":"\(base)/jwks","authorization_endpoint":"\(base)/authorize",\
                    "token_endpoint":"\(base)/token","response_types_supported":["code"],\
                    "code_challenge_methods_supported":["plain"],"id_token_signing_alg_values_supported":["HS256"]
                    """
                )
            )
        }
        #expect(findings.contains { !$0.isGood && $0.sentence.contains("PKCE") })
        #expect(findings.contains { !$0.isGood && $0.sentence.contains("HS256") })
    }

    @Test func `says nothing of the sign-in page where there is no button`() async throws {
        let findings = try await findings(
            editing: {
                $0.isOnLoginPage = false
                $0.exchangeAudiences = [ClientID("app")]
            }
        )
        #expect(findings.count == 2 && findings.allSatisfy(\.isGood))
    }

    @Test func `asks for the name of this server where it is not known`() async throws {
        let last = try #require(try await findings(naming: nil).last)
        #expect(!last.isGood && last.sentence.contains("say with --issuer what this server is called"))
    }

    @Test func `cannot tell about a credential when the provider answers otherwise`() async throws {
        let findings = try await findings { $0.fail(at: .token, with: .status(400)) }
        #expect(
            findings.contains { $0.isGood && $0.sentence.hasPrefix("Whether it accepts the credential can’t be told") })
        let down = try await self.findings { $0.fail(at: .token, with: .status(503)) }
        #expect(down.contains { !$0.isGood && $0.sentence.hasPrefix("The token endpoint can’t be used") })
    }
}

/// The network of this machine, with the time of the provider in each answer.
struct DatedTransport: HTTPTransport {
    /// The provider's time; `nil` when it does not say it.
    var time: Date?

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let answer = try await SystemTransport.make().send(request, body: body, within: limit)
        guard let time else { return answer }
        var response = answer.response
        response.headerFields[.date] = HTTPDate.text(of: time)
        return HTTPAnswer(response, body: answer.body)
    }
}
