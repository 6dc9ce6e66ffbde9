/// What a person sees when a page cannot be shown: what happened, and what to try.
struct ProblemView: Page {
    static let template = PageTemplate.trouble

    /// The HTTP status.
    let status: Int
    let heading: String
    let happened: String
    let advice: String

    var title: String { heading }

    /// 404.
    static let notFound = ProblemView(
        status: 404,
        heading: "No such page",
        happened: "There is nothing at this address.",
        advice: "Check the address that your screen shows, letter by letter, or start from one of the pages below."
    )

    /// 403: the form was too old, from another sign-in, or sent from elsewhere.
    static let formExpired = ProblemView(
        status: 403,
        heading: "This form has expired",
        happened: "The page was open too long, or you signed in again meanwhile. Nothing was changed.",
        advice: "Open the page again and repeat what you did. If you came here from another site, be careful with it."
    )

    /// 405.
    static let methodNotAllowed = ProblemView(
        status: 405,
        heading: "That can’t be done here",
        happened: "The browser asked this address for something that it doesn’t do. Nothing was changed.",
        advice: "Start again from one of the pages below."
    )

    /// 417.
    static let unknownExpectation = ProblemView(
        status: 417,
        heading: "That can’t be promised here",
        happened: "The browser asked for something in advance that this server doesn’t know. Nothing was changed.",
        advice: "Start again from one of the pages below."
    )

    /// 429; `wait` says for how long, in words: "2 minutes".
    static func tooManyAttempts(wait: String) -> ProblemView {
        ProblemView(
            status: 429,
            heading: "Too many attempts",
            happened: "There were too many wrong attempts, so we stopped answering for a while.",
            advice: "Wait \(wait), then try again. If a screen waits for you, let it show a new code then."
        )
    }

    /// 421, or 400 if no host was named.
    static func misdirected(status: Int = 421) -> ProblemView {
        ProblemView(
            status: status,
            heading: "This address is not ours",
            happened: "Your browser came here by a name that this server doesn’t have. Nothing was shown or changed.",
            advice:
                "Open the address that your screen shows. If you run this server: the proxy in front must pass the Host header on."
        )
    }

    /// 400: the link names a return address that the domain has not registered.
    static let strayReturn = ProblemView(
        status: 400,
        heading: "This link leads elsewhere",
        happened: """
            It asks to send you on to an address that the service has not registered here. Nothing was approved, and \
            you were not sent there.
            """,
        advice: "Go back to the app and start again. If somebody sent you the link, don’t open it again."
    )

    /// 400: an authorization request of an unknown client.
    static let unknownApp = ProblemView(
        status: 400,
        heading: "This server doesn’t know the app",
        happened: "The link names an app that is not registered here for this. Nothing was approved.",
        advice: "Go back to the app and start again. If that doesn’t help, tell whoever made the app."
    )

    /// 400: an authorization request with a redirect URI that its client has not registered.
    static let unregisteredRedirect = ProblemView(
        status: 400,
        heading: "This link leads elsewhere",
        happened: """
            It asks to send your answer to an address that the app has not registered here. Nothing was approved, and \
            you were not sent there.
            """,
        advice: "Go back to the app and start again. If somebody sent you the link, don’t open it again."
    )

    /// 400: an authorization request without a redirect URI, of a client that must name one.
    static let noRedirect = ProblemView(
        status: 400,
        heading: "This link doesn’t say where to go back to",
        happened: "The app has to name the address for your answer (redirect_uri), and did not. Nothing was approved.",
        advice: "Go back to the app and start again. If that doesn’t help, tell whoever made the app."
    )

    /// 400: a request to sign out that names an address that its client has not registered.
    static let unregisteredSignOutRedirect = ProblemView(
        status: 400,
        heading: "This link leads elsewhere",
        happened: """
            It asks to send you on, after signing out, to an address that the app has not registered here. You are still \
            signed in, and were not sent there.
            """,
        advice: "You can sign out on the page of your account."
    )

    /// 400: a request to sign out that is unreadable, or has a hint that is not ours.
    static let unreadableSignOut = ProblemView(
        status: 400,
        heading: "This link can’t be read",
        happened: "An app asks to sign you out, in a way that this server doesn’t understand. You are still signed in.",
        advice: "You can sign out on the page of your account."
    )

    /// 400: an authorization request whose signature is wrong, or that is expired.
    static let badRequestObject = ProblemView(
        status: 400,
        heading: "This link can’t be verified",
        happened: """
            What the app asks must carry the app’s signature, and that is missing, wrong or too old \
            (invalid_request_object). Nothing was approved.
            """,
        advice: "Go back to the app and start again. If that doesn’t help, tell whoever made the app."
    )

    /// 400: an authorization request that is unreadable, expired or incomplete.
    static let unreadableAuthorization = ProblemView(
        status: 400,
        heading: "This link can’t be read",
        happened: "Something of what the app asks is missing, written twice, or too old. Nothing was approved.",
        advice: "Go back to the app and start again. If that doesn’t help, tell whoever made the app."
    )

    /// 403 for a page of administrators.
    static let administratorsOnly = ProblemView(
        status: 403,
        heading: "For administrators only",
        happened: "You are signed in, and your account has no right to this page. Nothing was shown or changed.",
        advice: "If you should have it, ask whoever runs this server to give you the right."
    )

    /// 503.
    static let unavailable = ProblemView(
        status: 503,
        heading: "Not for the moment",
        happened: "The server can’t reach what it keeps. It has been written down for the people who run it.",
        advice: "Try again in a moment. To see whether your last step counted, look at where you are signed in."
    )

    /// 500.
    static let serverFault = ProblemView(
        status: 500,
        heading: "Something broke on our side",
        happened: "The server could not finish this. It has been written down for the people who run it.",
        advice: "Try again in a moment. To see whether your last step counted, look at where you are signed in."
    )
}
