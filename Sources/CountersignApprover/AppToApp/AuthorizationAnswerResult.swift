/// The result of opening the provider's own app with an address.
public enum AuthorizationAnswerResult: Sendable, Equatable {
    /// The other app has its answer, where `isOpened`; otherwise it could not be opened, and a code that was given to
    /// it ends by itself within a minute.
    case answered(AuthorizationOutcome, isOpened: Bool)
    /// It cannot be answered here: open this https address in the browser. The person has to sign in again, chooses to
    /// go on there, or the answer can be given only there; or it is a page of the server without a request for this app.
    case openBrowser(String)
    /// There is no answer, and nothing was opened. The person is notified.
    case refused(AuthorizationRefusal)
}

/// The outcome sent to the app or screen that asked.
public enum AuthorizationOutcome: Sendable, Hashable, CaseIterable {
    /// It has a code, or the link by which it fetches its tokens.
    case approved
    /// The person denied.
    case denied
    /// The server does not allow it, or the request has a mistake.
    case refused
}

/// The reason that a request gets no answer.
public enum AuthorizationRefusal: String, Sendable, Hashable, CaseIterable {
    /// The address holds no request, and is no page that a browser could open.
    case unreadable
    /// It is an address that this app does not take such requests at.
    case otherAddress
    /// The server knows no such app, its redirect URI is not registered, or the request is used up.
    case unanswerable
    /// The requesting app does not own the redirect URI of its request.
    case notTheOwner
}
