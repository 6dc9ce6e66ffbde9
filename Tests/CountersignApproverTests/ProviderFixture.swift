import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

/// A provider's app that is signed in, and a server that says what a test wrote down.
struct ProviderFixture: Sendable {
    static let metadataPath = "/.well-known/oauth-authorization-server"
    static let challenge = CodeChallenge(of: CodeVerifier(revealing: String(repeating: "v", count: 43)))
    static let parameters = parameters(to: "com.example.recipes:/done")

    static func parameters(to redirectURI: String) -> String {
        var request = AuthorizationRequest(
            client: ClientID("recipes"),
            redirectURI: redirectURI,
            challenge: challenge
        )
        request.state = "s"
        return request.form.encoded
    }

    /// Notes what it is to open.
    final class Opener: AppOpener {
        private let kept = NIOLockedValueBox<(any: [String], owner: [String])>(([], []))
        let knowsOwners: Bool
        private let opens: Bool

        init(knowsOwners: Bool, opens: Bool) {
            (self.knowsOwners, self.opens) = (knowsOwners, opens)
        }

        var opened: [String] { kept.withLockedValue(\.any) }
        var openedInOwner: [String] { kept.withLockedValue(\.owner) }
        var everything: [String] { opened + openedInOwner }

        func canOpen(_ address: URL) async -> Bool { opens }

        func open(_ address: URL) async -> Bool {
            kept.withLockedValue { $0.any.append(address.absoluteString) }
            return opens
        }

        func openInOwner(_ address: URL) async -> Bool {
            kept.withLockedValue { $0.owner.append(address.absoluteString) }
            return opens
        }
    }

    /// Says what it was told to say, and notes what it was shown.
    actor Person {
        private(set) var shown: [WaitingRequest] = []
        private var answer = RequestAnswer.approve(remembers: true)

        func willSay(_ answer: RequestAnswer) { self.answer = answer }

        func answer(_ request: WaitingRequest) -> RequestAnswer {
            shown.append(request)
            return answer
        }
    }

    private struct Keys: ApproverKeyStore {
        let key: ApproverPrivateKey
        func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner { key }
    }

    private struct SignedOut: Error {}

    private struct Caller: CallerVerifier {
        let said: RedirectOwnership
        func ownership(of redirectURI: String) async -> RedirectOwnership { said }
    }

    let clock = ManualClock()
    let transport = ScriptedTransport()
    let key = ApproverPrivateKey(drawingFrom: .system)
    let person = Person()
    let opener: Opener
    private let redirectURI: String
    private let parameters: String
    let approver: Approver

    /// - Parameter inAddress: Whether the address names the redirect URI.
    init(
        redirectURI: String = "com.example.recipes:/done",
        knowsOwners: Bool = false,
        opens: Bool = true,
        isSignedIn: Bool = true,
        inAddress: Bool = true,
        time: (ManualClock) -> TimeSource = { $0.source }
    ) {
        self.redirectURI = redirectURI
        parameters = inAddress ? Self.parameters(to: redirectURI) : "client_id=recipes&request_uri=urn:x"
        opener = Opener(knowsOwners: knowsOwners, opens: opens)
        let issuer: Issuer
        do {
            issuer = try Issuer("https://id.example.com")
        } catch {
            preconditionFailure("\(error)")
        }
        let anna = ApproverAccount(id: ApproverAccount.ID("anna"), issuer: issuer) {
            guard isSignedIn else { throw SignedOut() }
            return AccessToken(revealing: "token")
        }
        var options = ApprovalOptions()
        options.entrances = [
            "https://id.example.com/authorize", "com.example.provider.authorize:/authorize",
            "https://id.example.com/activate",
        ]
        approver = Approver(
            for: anna,
            keepingKeysIn: Keys(key: key),
            options: options,
            in: ApproverContext(over: transport, clock: time(clock), random: .system)
        )
        transport.reply(at: Self.metadataPath, with: .json(metadata))
        looked(lookText())
        decided(.approved)
    }

    /// The address of the browser for the request.
    var page: String { "https://id.example.com/authorize?\(parameters)" }

    /// Opens the app with an address, and lets the person answer what the inbox shows.
    func answer(
        _ address: String? = nil,
        openedBy caller: RedirectOwnership = .unknown
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        let asking = Task { () async -> Result<AuthorizationAnswerResult, ApprovalError> in
            do throws(ApprovalError) {
                return .success(
                    try await approver.ask(
                        openedWith: address ?? "com.example.provider.authorize:/authorize?\(parameters)",
                        openedBy: Caller(said: caller), opening: opener))
            } catch {
                return .failure(error)
            }
        }
        let failure = NIOLockedValueBox<ApprovalError?>(nil)
        let reading = Task {
            for try await event in approver {
                guard case .waiting(let requests) = event, let request = requests.first else { continue }
                do throws(ApprovalError) {
                    try await approver.answer(await person.answer(request), to: request)
                } catch {
                    // Where a demand is in the way, the request goes on in the browser.
                    guard error.obstacle == nil else { continue }
                    failure.withLockedValue { $0 = error }
                    asking.cancel()
                }
            }
        }
        defer { reading.cancel() }
        let outcome = await asking.value
        if let failure = failure.withLockedValue(\.self) { throw failure }
        return try outcome.get()
    }

    /// Answers, and throws the code alone of what that throws.
    func trying() async throws {
        do throws(ApprovalError) {
            _ = try await answer()
        } catch {
            throw error.code
        }
    }

    // MARK: The server

    var metadata: AuthorizationServerMetadata {
        var metadata = AuthorizationServerMetadata(issuer: "https://id.example.com")
        metadata.authorizationEndpoint = "https://id.example.com/authorize"
        metadata.approverEndpoint = "https://id.example.com/approver"
        return metadata
    }

    func looked(_ text: String) {
        transport.reply(at: "/approver/look", with: .text(text, type: "application/json"))
    }

    func decided(_ outcome: ApproverDecideResponse.Outcome, at location: String? = nil) {
        let answer = outcome == .approved ? "code=C" : "error=access_denied"
        transport.reply(
            at: "/approver/decide",
            with: .json(
                ApproverDecideResponse(
                    exchange: SignInRequest.ID("exchange"),
                    outcome: outcome,
                    location: AuthorizationAnswerAddress(revealing: location ?? "\(redirectURI)?\(answer)&state=s")
                )
            )
        )
    }

    /// The server's answer to a look, with needless spaces.
    func lookText(allowed: Bool = false, mustAsk: Bool = true, provenance: String? = nil) -> String {
        let provenance = provenance ?? (redirectURI.hasPrefix("https") ? "verified" : "asserted")
        return #"""
            { "outcome":"decide","method":"authorization","exchange":"exchange","nonce":"nonce","scope":"openid","asked":1800000000,"now":1800000000,"client_id":"recipes","client_provenance":"\#(provenance)","client_name":"Recipes","client_name_provenance":"\#(provenance)","redirect_uri":"\#(redirectURI)","permissions":[{"word":"openid","meaning":"Know that it is you"}],"code_challenge":"\#(Self.challenge)","account_name":"Anna","allowed_before":\#(allowed),"must_ask":\#(mustAsk),"expires":1800000300, "more":[] }
            """#
    }

    /// The server's answer to a look at a request with a mistake.
    var errorText: String {
        #"{"outcome":"answer","redirect_uri":"\#(redirectURI)","location":"\#(redirectURI)?error=invalid_scope&state=s"}"#
    }
}
