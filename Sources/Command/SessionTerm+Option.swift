internal import ArgumentParser
internal import Countersign

extension SessionTerm {
    /// The help of the option `--session` of commands that approve.
    static let help = ArgumentHelp(
        "How long a screen stays signed in: until you sign out (own), or 15m, 1h, 8h; or remember you there, too.",
        discussion: """
            Each request says which times it offers; another one does not count. Only screens whose app asks who you \
            are (openid) remember you. A browser at the sign-in page is signed out after an hour, if you say nothing.
            """,
        valueName: "time"
    )

    /// The term that the option names.
    static func named(_ word: String) throws -> SessionTerm {
        try SessionTerm(rawValue: word).or(
            usage: "‘\(word.shown)’ is no time. The times are \(allCases.map(\.rawValue).joined(separator: ", ")).")
    }
}
