internal import Foundation

/// The way of signing in that follows one that could not be used.
enum FallBack: Equatable {
    /// A code, for the reason in the sentence.
    case code(because: String)

    /// Decides the next step of a sign-in with `--browser`.
    ///
    /// The option asks for the browser, and for a code where no browser can be used. A browser that was used, or might
    /// have been, is followed by nothing, whatever the server or the person answered.
    ///
    /// - Parameters:
    ///   - ending: The outcome of the sign-in by the browser.
    ///   - limit: The time that the browser had for coming back.
    /// - Returns: `nil` after a sign-in that succeeded.
    /// - Throws: a ``CommandError`` with the exit status of what went wrong, when nothing follows.
    init?(after ending: BrowserSigningIn.Ending, within limit: Duration) throws {
        switch ending {
        case .notStarted(.noBrowser):
            self = .code(because: "No browser could be opened here, so it goes on with a code.")
        case .notStarted(.noAuthorizationEndpoint):
            self = .code(because: "This server does not sign in by a browser, so it goes on with a code.")
        case .ended(.success): return nil
        case .ended(.failure(let error)): throw CommandError(error)
        case .nobodyCame:
            let limit = limit.formatted(.units(allowed: [.minutes, .seconds], width: .wide))
            throw CommandError("Nobody came back from the browser within \(limit). Try again.", status: .expired)
        }
    }
}
