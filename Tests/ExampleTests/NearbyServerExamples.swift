import CountersignApprover
import CountersignNearby
import CountersignRequester

/// The examples in the documentation of nearby sign-in with a server, word for word: `Scripts/check-examples.py`
/// compares them. They need a network and a person, so they are compiled only.
struct NearbyServerExamples {
    func signIn(with settings: NearbySettings, on television: TelevisionScreen) async throws {
        var screen = SignInScreen.system
        screen.nearby = NearbySearch(settings, by: try LocalNetwork.discovery(), pairs: true)
        let signIn = SignIn(
            at: try Issuer("https://id.example.com"), as: "tv", for: Scope([.openid, .profile]), on: screen)
        for try await event in signIn {
            switch event {
            case .nearby(.found(let approvers), let phones) where approvers.count > 1:
                if let chosen = await television.choose(among: approvers) { phones.choose(chosen) }
            case .nearby(.progress(.missed(let codesLeft), _), let phones) where codesLeft > 0:
                phones.tryAgain()
            default: television.show(event)  // .nearby(.code(…), _) is the code to type
            }
        }
    }

    func approver(by refresher: TokenRefresher, at issuer: Issuer, keys: any ApproverKeyStore) -> Approver {
        let account = ApproverAccount(
            id: ApproverAccount.ID("anna"),
            issuer: issuer,
            authorizing: { try await refresher.authorized($0) },
            again: { try await refresher.authorized($0, after: $1) }
        )
        return Approver(for: account, keepingKeysIn: keys)
    }

    struct PlayerPhone: NearbyListenerDelegate {
        let approver: Approver

        func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation { .notNow }
        func digits(for prompt: NearbyPrompt) async -> LinkCode? { nil }

        func decide(_ request: ReceivedRequest) async -> NearbyDecision {
            guard case .server(let asked) = request.request.value else { return .refuse(.serverRefused) }
            do throws(ApprovalError) {
                let answer = try await approver.ask(asked, over: request.link, proof: request.trust)
                return answer.isApproval ? .approve(.atServer, pairs: false) : .decline
            } catch {
                switch error.code {
                case .unknownIssuer: return .refuse(.issuerUnknown)
                case .nothingToDecide: return .refuse(.answeredElsewhere)
                case .digitsNeeded where request.canAskForCode: return .askForCode
                case .cancelled: return .notNow
                default: return .refuse(.serverRefused)
                }
            }
        }
    }

    static func boundAccount(at issuer: Issuer, _ refresher: TokenRefresher) -> ApproverAccount {
        let account = ApproverAccount(
            id: ApproverAccount.ID("anna"), issuer: issuer,
            authorizing: { request in try await refresher.authorized(request) },
            again: { request, answer in try await refresher.authorized(request, after: answer) })
        return account
    }

    func account(at issuer: Issuer, by refresher: TokenRefresher) -> ApproverAccount {
        let account = ApproverAccount(id: ApproverAccount.ID("anna"), issuer: issuer) {
            try await refresher.signedIn().accessToken
        }
        return account
    }
}
