internal import Countersign
internal import CountersignWire
internal import Foundation

/// A code that a person chose, and that clients must send to ask them over the back channel: the `user_code`.
///
/// It is short, so the store has its digest under a key of the server, and wrong ones are counted for each client. The
/// key is one that is never replaced, since the code is good for years.
/// Standard: OpenID CIBA Core 1.0 §7.1.
struct BackchannelUserCode: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }

    /// The lengths that a code may have, in characters.
    static let lengths = 4...64

    /// A code as a person chose it, without the spaces around it; `nil` for one that is too short or too long, or not a
    /// single line.
    init?(parsing text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.isLine(of: Self.lengths) else { return nil }
        self.init(revealing: text)
    }

    /// The keyed digest that the store keeps.
    func digest(for subject: Subject, by keys: Keys) -> SecretDigest {
        let text = revealed.precomposedStringWithCompatibilityMapping
        return SecretDigest(of: keys.lastingAuthenticationCode(for: "\(subject)\n\(text)", use: "code for requests"))
    }
}

extension SignInStartService {
    /// The result of checking the code of a request.
    enum BackchannelUserCodeVerdict: Sendable, Equatable {
        /// The person may be asked.
        case mayAsk
        /// The client is answered as if it named an unknown person, and the person is not asked.
        case asksNobody
        /// The client gets the error for a missing code.
        case missing
        /// The client gets the error for a wrong code.
        case wrong
    }

    /// Judges the code that came with a request, and counts a wrong one.
    ///
    /// A client that is registered for codes must send one, and gets an error for a wrong one. It gets the same error
    /// for a person who is unknown or has no code. Other clients get no error.
    /// Standard: OpenID CIBA Core 1.0 §7.1, §13.
    func verdict(
        on code: BackchannelUserCode?,
        for person: Person?,
        of client: Client,
        by keys: Keys,
        in repositories: any Repositories
    ) throws -> BackchannelUserCodeVerdict {
        let learns = client.backchannel.sendsUserCodes
        guard let person, let expected = person.backchannelUserCode else {
            guard learns else { return .mayAsk }
            return code == nil ? .missing : .wrong
        }
        guard let code else { return learns ? .missing : .asksNobody }
        let guesses = [RateLimitKey.source(.codePerAccount, client.id, person.subject)]
        guard try !limits.isReached(guesses, in: repositories),
            code.digest(for: person.subject, by: keys) == expected
        else {
            try limits.count(guesses, in: repositories)
            return learns ? .wrong : .asksNobody
        }
        return .mayAsk
    }
}
