extension ResultView.Outcome {
    /// What the page says.
    struct Words: Sendable, Equatable {
        let heading: String
        let happened: String
        let next: String
    }

    /// What happened, and what happens next. An app's name is put in bidirectional isolates, so that it can't reverse
    /// the sentence.
    var words: Words {
        switch self {
        case .approved(let app, forService: let service, undo: _):
            Words(
                heading: "Approved",
                happened: service.map { "\u{2068}\(app)\u{2069} will use \u{2068}\($0)\u{2069} as you." }
                    ?? "\u{2068}\(app)\u{2069} will be signed in as you on that screen.",
                next: "The screen goes on by itself, usually within seconds. You can close this page."
            )
        case .denied:
            Words(
                heading: "Denied",
                happened: "The screen gets nothing.",
                next: """
                    Nothing more to do. If somebody asked you to enter or open that code, don’t answer them: \
                    they wanted to be signed in as you.
                    """
            )
        case .undone:
            Words(
                heading: "Taken back",
                happened: "Your approval no longer counts, and whatever the screen got has ended.",
                next: "If the screen already showed your name, it is signed out the next time it asks for anything."
            )
        case .expired:
            Words(
                heading: "Too late",
                happened: "That request ended before it was decided. Nothing was approved.",
                next: "A screen that still wants to sign in shows a new code. Enter that one."
            )
        case .nearbyOnly:
            Words(
                heading: "Not from here",
                happened: "What that screen asks for is given only to people in front of it. Nothing was approved.",
                next: "Let the screen look for a phone nearby, and approve it in the app on yours."
            )
        case .passwordOnly:
            Words(
                heading: "Not signed in like this",
                happened: """
                    What that screen asks for is given only to people who signed in with their password or passkey here. \
                    Nothing was approved.
                    """,
                next: "Sign out of this browser, sign in with your password, and enter a new code of the screen."
            )
        case .secondFactorOnly:
            Words(
                heading: "Not signed in like this",
                happened: """
                    What that screen asks for is given only to people who signed in with a passkey, or with a code after \
                    their password. Nothing was approved.
                    """,
                next: """
                    Add a passkey or set up one-time passwords on your account page, sign out of this browser, sign in \
                    again, and enter a new code of the screen.
                    """
            )
        case .passkeyOnly:
            Words(
                heading: "Not confirmed",
                happened: """
                    What that screen asks for is given only if you confirm it with your passkey. That did not happen, so \
                    nothing was approved.
                    """,
                next: """
                    Go back, approve again, and use your passkey when your browser asks for it. If you have none, add one \
                    on your account page first.
                    """
            )
        case .alreadyDecided:
            Words(
                heading: "Already decided",
                happened: "This request was answered before. The first answer stands.",
                next: """
                    If that was not you, look at where you are signed in and sign out what you don’t know. \
                    A screen that still wants to sign in shows a new code.
                    """
            )
        }
    }
}
