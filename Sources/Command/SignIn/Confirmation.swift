internal import CountersignRequester

/// Asks the person at this terminal whether they are the person who was signed in.
struct Confirmation: Sendable {
    /// Whether the answer was given in advance.
    let isGiven: Bool
    /// Whether the question was already printed as a line of JSON.
    let quiet: Bool

    /// Stops before the sign-in begins if the question at its end could not be answered.
    func requireAnswerable() throws {
        guard isGiven || !Terminal.givesNothing else {
            throw CommandError.usage(
                "Nobody can answer \"Continue as …?\" here: pass --yes to accept whoever is signed in, "
                    + "or leave openid out of --scope."
            )
        }
    }

    /// Asks; no answer is a no.
    func ask(_ identity: VerifiedIdentity) async -> SignIn.Confirmation {
        if isGiven { return .continue }
        let question = quiet ? "" : "Continue as \(identity.fullName)? [yes/no] "
        return await TypedLines.standard.agrees(to: question, besideJSON: quiet) ? .continue : .notMe
    }
}
