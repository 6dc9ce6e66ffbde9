import CountersignRequester
import CountersignResource
import Hummingbird
import Testing

@Suite("The examples of the back channel")
struct BackchannelExamples {
    private func serve(_ identity: VerifiedIdentity?) {}
    private func apologise() {}

    func signIn(at issuer: Issuer, secret: ClientSecret) async throws {
        let signIn = BackchannelSignIn(at: issuer, as: ClientID("desk"), secret: secret, for: Scope([.openid]))
        var asked = BackchannelAuthenticationRequest(for: .login("anna"), scope: signIn.scope)
        asked.bindingMessage = BindingMessage(parsing: "Ticket 4711")
        switch try await signIn.outcome(of: try await signIn.start(asked)) {
        case .signedIn(let signedIn): serve(signedIn.identity)
        case .denied, .expired: apologise()
        }
    }

    func stepUp(_ challenge: StepUpChallenge, _ signIn: BackchannelSignIn) {
        let asked = signIn.request(answering: challenge, for: .login("anna"))
        _ = asked
    }

    @Test func `ask`() {
        var request = BackchannelAuthenticationRequest(for: .login("anna"), scope: Scope([.openid]))
        request.bindingMessage = BindingMessage(parsing: "W4SCT")
        let body = request.form.encoded  // scope=openid&login_hint=anna&binding_message=W4SCT
        #expect(body == "scope=openid&login_hint=anna&binding_message=W4SCT")
    }

    @Test func `compare tokens with their digests`() {
        let digest = TokenDigest(of: AccessToken(revealing: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"))
        // 77QmUPtjPfzWtF2AnpK9RQ
        #expect(digest.rawValue == "77QmUPtjPfzWtF2AnpK9RQ")
    }

    @Test func `read a challenge`() {
        let challenge = StepUpChallenge(parsing: ["Bearer error=\"insufficient_user_authentication\", max_age=\"300\""])
        #expect(challenge?.maxAge == 300)
    }

    func require(_ base: ResourceGuard<BasicResourceRequestContext>) {
        let guarded = base.requiringAuthentication(classes: ["urn:countersign:acr:password"], within: .seconds(300))
        _ = guarded
    }
}
