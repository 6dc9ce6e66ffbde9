internal import Countersign

extension SignInError {
    /// The failure and its remedy, as one or two sentences for the person at the screen.
    public var sentence: String {
        ownSentence ?? Self.sentences[code] ?? "Signing in did not work. Try again."
    }

    /// One sentence or two for each code.
    package static let sentences: [Code: String] = [
        .denied: "The request was denied on the other screen. If that was a mistake, try again.",
        .expired: "Nobody approved in time. Try again for a new code.",
        .notReachable: "The server cannot be reached. Check the network connection and try again.",
        .notTrusted: """
        The server's certificate could not be verified. Check this device's date and time, and the server's address.
        """,
        .serverFailure: "The server cannot answer right now. Try again in a few minutes.",
        .noServerFound: "There is no sign-in server at this address. Check the address.",
        .issuerMismatch: "The server at this address goes by another name. Check the address, or ask who runs it.",
        .insecureEndpoint: """
        The server wants to be used without encryption, so the sign-in was stopped. Use an https address.
        """,
        .flowNotOffered: "This server does not offer this way of signing in. Ask who runs it.",
        .bindingNotOffered: """
        This server does not bind a sign-in to this device, as was asked, so nothing was started. Ask who runs it, or do \
        without.
        """,
        .grantTypeRefused: "This server does not accept this way of signing in. Ask who runs it.",
        .clientRefused: """
        The server does not accept this app, or does not know this device any more. Try again, and if that does not \
        help ask who runs the server.
        """,
        .scopeRefused: """
        The app asks for more than the server lets it have. Ask for less, or ask who runs the server.
        """,
        .refused: "The server refused to sign this device in. Try again, and if that does not help ask who runs it.",
        .codeRefused: "That code is wrong, or it was used before, or its time is over. Get a new one and type that.",
        .subjectTokenRefused: """
        The server does not accept this sign-in at the other provider. Sign in there again; if that does not help, sign in \
        to your account here in another way and connect the provider with it.
        """,
        .strongerSignInNeeded: """
        Signing in with the other provider is not enough for this. Sign in with your password or passkey here.
        """,
        .strongerWayNeeded: """
        The server needs a stronger way to sign in for this than this screen was to take. Let it take other ways, such as \
        a phone nearby, or ask for less.
        """,
        .wayNotAllowed: "The server does not allow this way here. Choose another way, or ask who runs it.",
        .notAsked: """
        Your own devices are not asked for this: you muted the app, or it needs a stronger way. Use another way, or end \
        the mute on your account page.
        """,
        .tooFast: "The server was asked too often. Try again in a few minutes.",
        .answerLost: "The connection broke at the wrong moment. Try again.",
        .domainRefused: "The service's name must be a host, as in radio.example.com. Check it.",
        .personNeeded: "Somebody has to approve this, and there is no screen that says where. Sign in again.",
        .badAnswer: "The server's answer makes no sense. Check the address; if it is right, ask who runs the server.",
        .identityMissing: """
        The server did not say who signed in, so the sign-in was stopped. Ask who runs the server.
        """,
        .identityRefused: """
        The server's word on who signed in could not be verified, so the sign-in was stopped. \
        Check this device's date and time, and try again.
        """,
        .notMe: "This device was signed out again, since that was not you. Try again with your own account.",
        .anotherPerson: """
        Somebody else answered than the person who was chosen, so nobody was signed in. Try again, and let that person \
        answer, or choose somebody else.
        """,
        .notRemembered: """
        You are not remembered on this screen any more. Sign in another way, and choose there to be remembered again.
        """,
        .answerRejected: "What came back does not belong to this sign-in, so it was stopped. Try again.",
        .wayUnusable: """
        This screen cannot sign in that way. Choose another way, or give the app what that way needs.
        """,
        .browserNotOpened: """
        No browser could be used on this device. Sign in with the code on another device, or open a browser and try again.
        """,
        .accountUnusable: "The account on this device could not be used. Sign in another way, or check its settings.",
        .cancelled: "Signing in was stopped. Start again when you want to.",
        .notStored: """
        The sign-in could not be saved on this device. Check its free space and permissions, and try again.
        """,
        .notLoaded: "The sign-in kept on this device could not be read. Check its permissions, or sign in again.",
        .storeUnusable: """
        What this device has kept so far cannot be opened, so nothing was added to it. Put it or its key back from a \
        backup, or move it away, and sign in again.
        """,
        .keyUnfit: TokenStoreError(.keyUnfit, because: "").sentence,
        .keyringUnavailable: TokenStoreError(.keyringUnavailable, because: "").sentence,
        .busyElsewhere: TokenStoreError(.busy, because: "").sentence,
        .accountLocked: """
        The account is locked for now. What is kept on this device stays; ask the one who runs the service.
        """,
        .signedOut: """
        This device is not signed in any more. Sign in again, unless the account is locked: then ask the one who runs the \
        service.
        """,
    ]
}
