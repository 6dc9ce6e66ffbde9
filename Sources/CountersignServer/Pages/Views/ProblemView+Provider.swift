extension ProblemView {
    /// What a person sees when they could not sign in with another provider.
    ///
    /// - Parameter name: The provider's name.
    static func provider(_ problem: ProviderProblem, named name: String) -> ProblemView {
        switch problem {
        case .unreachable:
            ProblemView(
                status: 502,
                heading: "\(name) can’t be reached",
                happened:
                    "This server asked \(name), and got no answer in time. You are not signed in, and nothing was changed.",
                advice: "Try again in a moment, or sign in another way."
            )
        case .badAnswer:
            ProblemView(
                status: 502,
                heading: "\(name) sent an answer that can’t be used",
                happened:
                    "This server could not verify what \(name) says about you. You are not signed in, and nothing was changed.",
                advice: "Try again, or sign in another way. If it happens again, tell whoever runs this server."
            )
        case .refused:
            ProblemView(
                status: 502,
                heading: "\(name) doesn’t accept this server",
                happened: "\(name) refused to say who you are. You are not signed in, and nothing was changed.",
                advice: "Sign in another way, and tell whoever runs this server."
            )
        case .notStarted:
            ProblemView(
                status: 403,
                heading: "This sign-in was not started here",
                happened: "It took too long, was finished before, or began in another browser. Nothing was changed.",
                advice: "Start again from the sign-in page. If somebody sent you a link, don’t open it again."
            )
        case .mixedUp:
            ProblemView(
                status: 403,
                heading: "This answer is not from \(name)",
                happened:
                    "It names another provider than the one where you were sent. You are not signed in, and nothing was changed.",
                advice: "Start again from the sign-in page. If it happens again, tell whoever runs this server."
            )
        case .declined:
            ProblemView(
                status: 403,
                heading: "You didn’t sign in at \(name)",
                happened: "\(name) says that the sign-in was cancelled. Nothing was changed.",
                advice: "Start again from the sign-in page, or sign in another way."
            )
        case .notFresh:
            ProblemView(
                status: 403,
                heading: "\(name) didn’t ask you to sign in again",
                happened:
                    "For this you have to prove anew who you are, and \(name) says that you did that earlier. Nothing was changed.",
                advice: "Sign out at \(name) and start again, or sign in another way."
            )
        case .notConnected:
            ProblemView(
                status: 403,
                heading: "No account here is connected with \(name)",
                happened: "You signed in at \(name), but this server doesn’t know that account.",
                advice:
                    "Sign in with your password, and connect \(name) on your account page. If you have no account, ask whoever runs this server."
            )
        case .locked:
            ProblemView(
                status: 403,
                heading: "You can’t sign in with \(name) now",
                happened: "Your account here is locked, or was changed while you were signing in.",
                advice: "Try again. If it happens again, ask whoever runs this server."
            )
        case .another:
            ProblemView(
                status: 403,
                heading: "That account belongs to somebody else here",
                happened:
                    "The account at \(name) is connected with another account of this server. Nothing was changed.",
                advice: "If both are yours, sign in with \(name), disconnect it on the account page, and start again."
            )
        }
    }
}
