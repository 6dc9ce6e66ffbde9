internal import Countersign
internal import Crypto
internal import Foundation

extension SealedAnswer {
    /// How long the answer to a refresh is kept for a client that lost it, in seconds.
    static let lifetime: TimeInterval = 10

    /// Seals an answer under the token that it answers, so that the database alone reveals nothing.
    init(sealing answer: [UInt8], under token: RefreshToken) throws {
        bytes = Array(try ChaChaPoly.seal(answer, using: Self.key(from: token)).combined)
    }

    /// The answer; `nil` when it was sealed under another token.
    func opened(with token: RefreshToken) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: bytes),
            let answer = try? ChaChaPoly.open(box, using: Self.key(from: token))
        else { return nil }
        return Array(answer)
    }

    private static func key(from token: RefreshToken) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(token.revealed.utf8)),
            info: Array("countersign refresh answer".utf8),
            outputByteCount: 32
        )
    }
}
