internal import Countersign

extension SignInEvent {
    /// The event in a sentence for the person at the screen: what to do next, or what the screen does meanwhile; `nil`
    /// where there is nothing to say.
    public var sentence: String? {
        switch self {
        case .discovering: "Looking for the server."
        case .presenting(.ticket): "Signing in with the ticket."
        case .presenting(.token): "Signing in with the other provider."
        case .presenting(.account): "Signing in with the account on this device. Allow it if you are asked."
        case .notAccepted(_, let error), .failed(let error): error.sentence
        case .began(.nearby): "Open the app on a phone in this network; this screen looks for it."
        case .began(.browser): "Opening the browser of this device."
        case .began(.push): "You are asked on your own devices. Answer there."
        case .began(.code): "Use the code on another device."
        case .opened(_, in: .app): "Go on in the app that has opened."
        case .opened(let address, in: .browser):
            "Go on in your browser. If no page has opened there, open this address on this device: \(address)"
        case .nearby(let event, _): event.sentence
        case .ended(.browser, let error) where error.code == .cancelled:
            "The page was closed. Sign in another way, or start again."
        case .ended(.browser, let error) where error.code == .browserNotOpened:
            "No page was opened here. Use the code on another device, or your phone."
        case .ended(.push, let error) where error.code == .expired:
            "Nobody answered on your devices in time. Use another way, or start again."
        case .ended(_, let error): error.sentence
        case .invitation(let invitation): Self.sentence(for: invitation)
        case .invitationHidden:
            "Go on at the phone or page where you answer. The code and the link are not needed now."
        case .codeAccepted: "The code was accepted. Answer where it was shown."
        case .waiting: "Waiting for your approval."
        case .verificationNumber(let number?):
            "If you are asked for a number, type this one, and tell it to nobody: \(number)"
        case .link(let link): "Use this link in place of the one before: \(link)"
        case .temporaryFailure(let failure, _): failure.sentence
        case .confirming(let question): "Continue as \(question.identity.displayName)?"
        case .signedIn(let signedIn):
            [
                signedIn.identity.map { "Signed in as \($0.displayName)." } ?? "This device is signed in.",
                signedIn.sentenceOnScope,
            ].compactMap(\.self).joined(separator: " ")
        case .verificationNumber(nil): nil
        }
    }

    private static func sentence(for invitation: Invitation) -> String {
        guard let code = invitation.userCode else {
            return "Open \(invitation.verificationURI) on another device, and confirm there."
        }
        return "Open \(invitation.verificationURI) on another device, and enter the code \(code)."
    }
}

extension CompletedSignIn {
    /// The part of the scope that was not granted, in a sentence for the person at the screen; `nil` when all was.
    package var sentenceOnScope: String? {
        guard !notGranted.isEmpty else { return nil }
        let words = notGranted.words.map(\.rawValue).joined(separator: ", ")
        return "Not granted: \(words). What needs that does not work here; ask who runs the server for it."
    }
}

extension TemporaryFailure {
    /// The failure in a sentence for the person at the screen, which tries again by itself.
    public var sentence: String {
        switch self {
        case .notReachable: "The server cannot be reached. Check the network; this screen tries again by itself."
        case .notTrusted:
            """
            The server's certificate could not be verified. Check this device's date and time; this screen tries again by \
            itself.
            """
        case .interrupted: "The connection broke; this screen tries again by itself."
        case .busy: "The server is busy; this screen tries again by itself."
        case .serverFault: "The server has failed; this screen tries again by itself."
        }
    }
}
