import Countersign
import CountersignTesting
import CountersignWire

@testable import CountersignRequester

/// The events of one iteration, and its error.
struct IteratedSignIn: Sendable {
    var events: [SignInEvent] = []
    var error: SignInError?

    /// The number of final events and errors.
    var finals: Int {
        events.count { if case .signedIn = $0 { true } else { false } } + (error == nil ? 0 : 1)
    }

    var signedIn: CompletedSignIn? {
        if case .signedIn(let signedIn)? = events.last { signedIn } else { nil }
    }
}

extension SignIn {
    /// Iterates to the end, answers the question who it is, and does `act` at each event.
    func iterated(
        answering confirmation: Confirmation = .continue,
        _ act: @escaping @Sendable (SignInEvent) async -> Void = { _ in }
    ) async -> IteratedSignIn {
        var result = IteratedSignIn()
        do {
            for try await event in self {
                result.events.append(event)
                await act(event)
                if case .confirming(let question) = event { question.answer(confirmation) }
            }
        } catch {
            result.error = error as? SignInError ?? SignInError(.badAnswer, because: "\(error)")
        }
        return result
    }
}

extension ScriptedServer {
    /// Answers the request for codes, and names the ways that it allows.
    func allow(_ ways: Set<SignInWay>?, lifetime: Int = 600) {
        transport.reply(at: "/device_authorization", with: .json(codes(lifetime: lifetime, ways: ways)))
    }

    /// Answers the request for codes, and says that the person in it is not remembered.
    func rememberNobody() { remember(false, allowing: [.code]) }

    /// Answers the request for codes, and says whether the person in it is remembered.
    func remember(_ isRemembered: Bool = true, allowing ways: Set<SignInWay>) {
        let codes = codes()
        transport.reply(
            at: "/device_authorization",
            with: .json(
                DeviceAuthorizationResponse(
                    deviceCode: codes.deviceCode, userCode: codes.userCode, verificationURI: codes.verificationURI,
                    verificationURIComplete: nil, expiresIn: 600, interval: 5, ways: ways, isRemembered: isRemembered)))
    }

    /// The requests for codes.
    var asked: [Form] { transport.sent(to: "/device_authorization").map(\.form) }

    /// The device codes that were withdrawn.
    var withdrawn: [String?] {
        transport.sent(to: "/revoke").filter { $0.form["token_type_hint"] == "device_code" }.map { $0.form["token"] }
    }

    /// The query of a browser that comes back after an approval over this link.
    func approval(over link: String) -> String {
        "iss=https%3A%2F%2Fid.example.com&state=\(asked.first?["state"] ?? "")&link=\(link)"
    }
}

extension SignInScreen {
    /// A screen with this browser, and a remembered person where there is an ID token.
    static func with(_ browser: (any SignInBrowser)? = nil, remembering person: String? = nil) -> SignInScreen {
        var screen = SignInScreen(name: "Kitchen radio")
        screen.browser = browser
        screen.rememberedPerson = person.map { RememberedPerson(restoring: UnverifiedIDToken(revealing: $0)) }
        return screen
    }
}
