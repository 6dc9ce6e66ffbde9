internal import Countersign
internal import CountersignWire
internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The digest of a device code or refresh token, and the key that opens its answer.
///
/// The key is derived from the credential itself. The database holds the credential's digest only, so the database
/// alone reveals no answer.
struct AnsweredCredential: Sendable {
    let digest: SecretDigest
    fileprivate let key: SymmetricKey

    /// A refresh token, and the key that the request proves: the answer opens with a proof of the same key only.
    init(_ token: RefreshToken, provenBy proven: SenderKey?) {
        self.init(token, use: "countersign refresh answer\(Self.binding(to: proven))")
    }

    /// A device code that a client presents, over the links that it names.
    ///
    /// Anybody can name a public client, so its answer opens for the same address only: the address is part of the key,
    /// and so are the links. Returns `nil` for a public client whose address cannot be seen, and for a request over the
    /// back channel, whose identifier must not be good twice (OpenID CIBA Core 1.0 §10.1.1).
    init?(_ poll: PolledGrant.Poll) {
        guard case .device(let code, over: let links) = poll.code, let receiver = Self.receiver(of: poll) else {
            return nil
        }
        let names = links.map(\.description).sorted().joined(separator: " ")
        self.init(code, use: "countersign device code answer \(receiver)over \(names)\(Self.binding(to: poll.key))")
    }

    /// The address that may receive the answer: a public client's; empty for confidential clients. `nil` for a public
    /// client whose address cannot be seen.
    private static func receiver(of poll: PolledGrant.Poll) -> String? {
        if poll.client.provenance == .verified { return "" }
        return poll.address.map { "to \($0) " }
    }

    private static func binding(to key: SenderKey?) -> String { key.map { " by \($0)" } ?? "" }

    private init(_ secret: some Secret, use: String) {
        digest = secret.digest
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(secret.revealed.utf8)),
            info: Array(use.utf8),
            outputByteCount: 32
        )
    }
}

extension SealedAnswer {
    /// Seals an answer under the credential that it answers.
    init(sealing answer: [UInt8], under credential: AnsweredCredential) throws {
        bytes = Array(try ChaChaPoly.seal(answer, using: credential.key).combined)
    }

    /// The answer; `nil` when it was sealed under another credential.
    func opened(with credential: AnsweredCredential) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: bytes),
            let answer = try? ChaChaPoly.open(box, using: credential.key)
        else { return nil }
        return Array(answer)
    }
}

extension RepeatableAnswer {
    /// For how long an answer is repeated to a client that did not receive it: 10 seconds.
    static let lifetime: TimeInterval = 10

    /// Seals the first answer to `credential`.
    init(_ answer: [UInt8], to credential: AnsweredCredential, for grant: Grant.ID, at now: Date) throws {
        self.init(
            grant: grant,
            credential: credential.digest,
            answer: try SealedAnswer(sealing: answer, under: credential),
            answered: now
        )
    }

    /// The same answer, given for the first time at `instant`: it may have waited until it was stored.
    func answered(at instant: Date) -> RepeatableAnswer {
        RepeatableAnswer(grant: grant, credential: credential, answer: answer, answered: instant)
    }

    /// The answer, for a client that presents the credential again in time; otherwise `nil`.
    func repeated(to credential: AnsweredCredential, at now: Date) -> [UInt8]? {
        // In both directions, so that a clock that is set back does not keep the answer for long.
        guard self.credential == credential.digest, abs(now.timeIntervalSince(answered)) < Self.lifetime else {
            return nil
        }
        return answer.opened(with: credential)
    }
}

extension Client {
    /// Whether the registration still allows everything that an earlier answer granted.
    func allowsAll(in answer: [UInt8]) -> Bool { scope.covers(answer) }
}

extension Scope {
    /// Whether it has every word that a token answer granted.
    func covers(_ answer: [UInt8]) -> Bool {
        struct Granted: Decodable {
            let scope: String?
        }
        guard let granted = try? JSONDecoder().decode(Granted.self, from: Data(answer)) else { return false }
        return Scope(parsing: granted.scope ?? "")?.isSubset(of: self) ?? false
    }
}
