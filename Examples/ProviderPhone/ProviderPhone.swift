import CountersignApprover
import CountersignRequester
import Foundation

/// The provider's own app, which lets other apps and the screen on its device in without a browser:
///
///     swift run ProviderPhone https://id.example.com provider 'com.example.provider.authorize:/authorize?client_id=…'
///
/// The third word is the address that the system opens the app with: the request of an app, or the page that a screen
/// opens (`https://id.example.com/activate?…`). `Declarations/provider.desktop` of the example `AppToApp` declares its
/// scheme. The app is signed in already: its tokens and its signing key are sealed in a
/// directory. To sign it in, `countersign signin --scope "openid nearby_approve"` does.
///
/// More words: `in=DIRECTORY` is that directory, `by=SCHEME` names the app that asks, as a system does that knows it.
@main
struct ProviderPhone {
    /// The address with a scheme of this app.
    static let native = "com.example.provider.authorize:/authorize"

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3, let issuer = try? Issuer(words[0]) else {
            print("Usage: ProviderPhone ISSUER CLIENT ADDRESS [in=DIRECTORY] [by=APP]")
            exit(64)
        }
        func option(_ name: String) -> String? {
            words.dropFirst(3).first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let directory = option("in") ?? "\(NSHomeDirectory())/.local/share/countersign-provider-phone"
        let approver = approver(at: issuer, as: ClientID(words[1]), keepingEverythingIn: directory)
        let asking = Task {
            for try await case .waiting(let requests) in approver {
                for request in requests { try await approver.answer(ask(request), to: request) }
            }
        }
        defer { asking.cancel() }
        do throws(ApprovalError) {
            let caller: any CallerVerifier = option("by").map(KnownCaller.init) ?? UnknownCaller()
            say(try await approver.ask(openedWith: words[2], openedBy: caller, opening: opener))
        } catch {
            print("It did not work: \(error)")
            exit(1)
        }
    }

    /// The kit, with the app's own sign-in.
    static func approver(
        at issuer: Issuer,
        as client: ClientID,
        keepingEverythingIn directory: String
    ) -> Approver {
        let store = SealedFileTokenStore(directory: directory)
        let refresher = TokenRefresher(at: issuer, as: client, keepingTokensIn: store)
        let account = ApproverAccount(id: ApproverAccount.ID("me"), issuer: issuer) {
            try await refresher.signedIn().accessToken
        }
        var options = ApprovalOptions()
        options.entrances = [issuer.appending("activate"), issuer.appending("authorize"), native]
        let keys = TokenStoreApproverKeys(in: store, drawingFrom: .system)
        return Approver(for: account, keepingKeysIn: keys, options: options)
    }

    static var opener: any AppOpener {
        #if os(macOS)
        WorkspaceOpener()
        #else
        XDGOpener()
        #endif
    }

    /// Asks the person at the terminal.
    static func ask(_ request: WaitingRequest) -> RequestAnswer {
        let isVerified = request.client.provenance == .verified
        let word = isVerified ? "verified" : "not verified: any app on this device could ask in its name"
        print("\(request.clientName.value) (\(word)) wants to be signed in as \(request.accountName).")
        if let name = request.deviceName { print("It calls itself ‘\(name.value)’.") }
        if case .app(let facts) = request.kind {
            for permission in facts.permissions.value { print("- \(permission.meaning)") }
            switch facts.destination.value {
            case .domain(let host): print("The answer goes to \(host).")
            case .scheme(let scheme): print("The answer goes to the app with the scheme \(scheme).")
            case .port: print("The answer goes to a program on this device.")
            }
        }
        print("Let it in? [y/n/browser]")
        switch readLine() {
        case "y": return .approve(remembers: true)
        case "browser": return .goOnInBrowser
        default: return .deny
        }
    }

    static func say(_ result: AuthorizationAnswerResult) {
        switch result {
        case .answered(let outcome, isOpened: true): print("The app knows: \(outcome).")
        case .answered(_, isOpened: false): print("The app that asked can't be opened.")
        case .openBrowser(let page): print("Go on in the browser: \(page)")
        case .refused(let refusal): print("There is no answer: \(refusal.rawValue).")
        }
    }
}

/// A system that knows which app opened this one: here the app whose scheme is the beginning of its own name.
struct KnownCaller: CallerVerifier {
    let app: String

    func ownership(of redirectURI: String) async -> RedirectOwnership {
        redirectURI.hasPrefix("\(app):") ? .owner : .another
    }
}
