import CountersignRequester
import Foundation

/// An app that signs in by another app, or by the browser, in two actions:
///
///     swift run AppToApp sign-in https://id.example.com recipes
///     swift run AppToApp open 'com.example.apptoapp:/signed-in?code=…&state=…'
///
/// The first opens the provider and ends. The second is what the desktop starts when the provider answers: see
/// `Declarations`, where the app's scheme and the files of its website are declared.
///
/// More words after the client id: `universal` lets the answer come to an https address in place of the app's scheme,
/// `schemes-only` behaves as a system whose https addresses open no apps, `backend=http://127.0.0.1:8010` hands the
/// code to `AppBackend`, which holds a client secret, and `completion` shows what came of the code in four words.
@main
struct AppToApp {
    static let native = "com.example.apptoapp:/signed-in"
    static let universal = "https://app.example.com/signed-in"

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch words.first {
            case "sign-in" where words.count >= 3:
                let settings = Settings(issuer: words[1], client: words[2], options: Array(words.dropFirst(3)))
                try settings.save()
                try await signIn(settings)
            case "open" where words.count == 2:
                try await open(words[1], Settings.saved())
            default:
                let options = "[universal] [schemes-only] [backend=URL] [completion]"
                print("Usage: AppToApp sign-in ISSUER CLIENT \(options) | open ADDRESS")
                exit(64)
            }
        } catch let error as SignInError {
            print("It did not work: \(error.sentence) (\(error.code.rawValue))")
            exit(1)
        } catch {
            print("It did not work: \(error)")
            exit(1)
        }
    }

    /// The first action.
    static func signIn(_ settings: Settings) async throws {
        switch try await settings.signIn().start(offeringStore: true) {
        case .opened(.app): print("The provider's app is open.")
        case .opened(.webAddress): print("The provider's page is open.")
        case .invalidClientID: print("There is no client id.")
        case .invalidRedirect(let problem): print("The redirect URI cannot be used: \(problem)")
        case .appNotInstalled(let page): print("The provider's app is missing. \(page?.address ?? "")")
        case .appTooOld(let page): print("The provider's app is too old. \(page?.address ?? "")")
        case .notOpened: print("Nothing here opens that address.")
        }
    }

    /// The second action, in a new start of the app.
    static func open(_ address: String, _ settings: Settings) async throws {
        let signIn = try settings.signIn()
        switch try await signIn.receive(address) {
        case .granted(let code):
            if let backend = settings.backend {
                print("The backend says: \(try await backend.signIn(with: code.handover))")
            } else {
                let completion = await signIn.redeem(code)
                show(completion)
                if settings.options.contains("completion") { print(inWords(completion)) }
            }
        case .denied: print("You did not allow it.")
        case .refused(let error):
            print("The provider says \(error.code).\(error.isTransient ? " Another try may help later." : "")")
        case .unasked: print("Nobody asked for that. Do you want to sign in?")
        case .otherAddress: print("That is no answer of a provider.")
        case .rejected(let fault): print("That is not acceptable: \(fault.rawValue). Start again.")
        }
    }

    /// Token, completion and error, as an app finds them. Where it is not completed, the others say nothing.
    private static func inWords(_ completion: CodeCompletion) -> String {
        let token = completion.signedIn == nil ? "none" : "there"
        let error = completion.error?.code.rawValue ?? "none"
        let advice = completion.advice == .signInAgain ? "yes" : "no"
        return "Token: \(token). Completed: \(completion.isCompleted). Error: \(error). Try again: \(advice)."
    }

    private static func show(_ completion: CodeCompletion) {
        switch completion {
        case .signedIn(let signedIn): print("Signed in as \(signedIn.identity?.displayName ?? "somebody").")
        case .refused(let error): print("The provider says \(error.code).")
        case .failed(let error, let advice):
            print(
                "\(error.sentence) \(advice == .signInAgain ? "Another try may help." : "Another try does not help.")")
        }
    }
}
