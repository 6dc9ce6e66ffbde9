import CountersignApprover
import Testing

/// The examples in the documentation of the provider's own app, word for word: `Scripts/check-examples.py` compares
/// them.
@Suite("The examples of letting other apps in")
struct ProviderExamples {
    @Test func `read an address`() {
        let address = AuthorizationAddress(parsing: "https://id.example.com/authorize?client_id=app&request_uri=urn:x")
        let isOurs = address?.isAt("https://id.example.com/authorize") ?? false

        #expect(isOurs && address?.kind == .authorization(of: ClientID("app"), nil))
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
        func ask(_ shown: WaitingRequest) async -> RequestAnswer
        func say(_ words: String)
        func openBrowser(_ page: String)
    }

    static func approver(at issuer: Issuer, account: ApproverAccount, keys: some ApproverKeyStore) -> Approver {
        var options = ApprovalOptions()
        options.entrances = [
            issuer.appending("activate"), issuer.appending("authorize"),
            "com.example.provider.authorize:/authorize",
        ]
        let approver = Approver(for: account, keepingKeysIn: keys, options: options)
        return approver
    }

    static func answer(
        _ address: String,
        with approver: Approver,
        opening opener: any AppOpener,
        on screen: some Screen
    ) async throws {
        switch try await approver.ask(openedWith: address, opening: opener) {
        case .answered(_, isOpened: true): break
        case .answered(_, isOpened: false): screen.say("The app that asked can't be opened.")
        case .openBrowser(let page): screen.openBrowser(page)
        case .refused(let refusal): screen.say("There is no answer: \(refusal.rawValue)")
        }
    }
}
