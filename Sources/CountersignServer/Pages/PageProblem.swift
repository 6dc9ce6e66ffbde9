internal import Countersign

/// Why a page cannot be shown.
enum PageProblem: Error, Sendable, Equatable {
    /// No person is signed in; after signing in the browser goes to the path that it asked for.
    case signInFirst(returningTo: String)
    /// The form is too old, belongs to another browser, or did not come from a page of this server.
    case formExpired
    case notFound
    /// The browser asked for a host that is not ours.
    case misdirected
    /// The return address is not registered for the request's domain.
    case strayReturn
    /// An authorization request names no client that is registered for it.
    case unknownApp(named: String?)
    /// An authorization request names an address that its client has not registered.
    case unregisteredRedirect(client: ClientID, address: String)
    /// An authorization request does not say where the answer goes.
    case noRedirect(client: ClientID)
    /// A request to sign out names an address that its client has not registered.
    case unregisteredSignOutRedirect
    /// A request to sign out cannot be read, or its hint is not a token of this server.
    case unreadableSignOut
    /// An authorization request cannot be read so far that its client could be told.
    case unreadableAuthorization(because: String)
    /// The request object of an authorization request is not good, so that nothing in it counts.
    case badRequestObject(because: String)
    /// The page is for administrators, and the visitor is not one.
    case administratorsOnly
}

extension PageProblem {
    /// The check that refused an authorization request, for the log; `nil` for other problems.
    var refusal: String? {
        switch self {
        case .unknownApp: "the client is not registered for authorization"
        case .unregisteredRedirect: "the redirect_uri is not registered"
        case .noRedirect: "the redirect_uri is missing"
        case .unreadableAuthorization(let reason), .badRequestObject(let reason): reason
        case .signInFirst, .formExpired, .notFound, .misdirected, .strayReturn, .unregisteredSignOutRedirect,
            .unreadableSignOut, .administratorsOnly:
            nil
        }
    }
}
