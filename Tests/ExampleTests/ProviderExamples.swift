import CountersignApprover
import Testing

/// The examples in the documentation of the provider's own app, word for word: `Scripts/check-examples.py` compares
/// them.
@Suite("The examples of letting other apps in")
struct ProviderExamples {
    @Test func `read an address`() {
        let address = AuthorizationAddress(parsing: "https://id.example.com/authorize?client_id=app&request_uri=urn:x")
        let isOurs = address?.isAt("https://id.example.com/authorize") ?? false

        #expect(isOurs && address?.client == ClientID("app"))
    }

    @Test func `know the app that asks`() async {
        let caller = CallerByPackage(package: "a", packages: ["com.example.a:/done": "a"])

        #expect(await caller.ownership(of: "com.example.a:/done") == .owner)
        #expect(await caller.ownership(of: "com.example.b:/done") == .another)
    }

    struct CallerByPackage: CallerVerifier {
        let package: String
        let packages: [String: String]
        func ownership(of redirectURI: String) async -> RedirectOwnership {
            packages[redirectURI] == package ? .owner : .another
        }
    }

    // The rest is compiled only: it needs a person, or a network.

    protocol Screen: Sendable {
        func ask(_ shown: AuthorizationDescription) async -> AuthorizationAnswers.Answer
        func say(_ words: String)
        func openBrowser(_ page: String)
    }

    static func answers(
        at issuer: Issuer,
        account: ApproverAccount,
        keys: some ApproverKeyStore,
        opener: some AppOpener
    ) -> AuthorizationAnswers {
        let answers = AuthorizationAnswers(
            at: issuer,
            openedWith: [issuer.appending("authorize"), "com.example.provider.authorize:/authorize"],
            for: [account],
            keepingKeysIn: keys,
            opening: opener,
            over: SystemTransport.make(),
            drawingFrom: .system,
            clock: .system
        )
        return answers
    }

    static func answer(_ address: String, with answers: AuthorizationAnswers, on screen: some Screen) async throws {
        switch try await answers.answer(address, asking: screen.ask) {
        case .answered(_, isOpened: true): break
        case .answered(_, isOpened: false): screen.say("The app that asked can't be opened.")
        case .openBrowser(let page): screen.openBrowser(page)
        case .refused(let refusal): screen.say("There is no answer: \(refusal.rawValue)")
        }
    }

    static func name(_ shown: AuthorizationDescription) -> String {
        let asker = shown.isVerified ? shown.clientName.value : "\(shown.clientName.value) (not verified)"
        return asker
    }
}
