internal import CountersignRequester
internal import Foundation

/// Asks the person at this terminal whether they are the person who was signed in.
struct Confirmation: Sendable {
    /// Whether the answer was given in advance.
    let isGiven: Bool
    /// Whether the question was already printed as a line of JSON.
    let quiet: Bool

    /// Stops before the sign-in begins if the question at its end could not be answered.
    func requireAnswerable() throws {
        guard isGiven || !Terminal.givesNothing else {
            throw CommandError(
                "Nobody can answer \"Continue as …?\" here: pass --yes to accept whoever is signed in, "
                    + "or leave openid out of --scope.",
                status: .usage
            )
        }
    }

    /// Asks; no answer is a no.
    func ask(_ identity: VerifiedIdentity) async -> SignIn.Confirmation {
        if isGiven { return .continue }
        let question = quiet ? "" : "Continue as \(Self.name(of: identity))? [yes/no] "
        return await TypedLines.standard.agrees(to: question, besideJSON: quiet) ? .continue : .notMe
    }

    /// The person, with the user name if it adds to the name.
    static func name(of identity: VerifiedIdentity) -> String {
        guard let username = identity.username, username != identity.displayName else { return identity.displayName }
        return "\(identity.displayName) (\(username))"
    }
}
