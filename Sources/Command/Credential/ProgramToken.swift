internal import ArgumentParser
internal import Countersign
internal import FoundationEssentialsCompat

/// A token that is handed to another program.
struct ProgramToken: Sendable {
    /// The kinds of tokens that programs take.
    enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
        /// For services that ask the server about it, or know its form.
        case access
        /// For services that verify who signed in, such as Kubernetes.
        case id
    }

    /// The token in the clear.
    let revealed: String
    /// Its expiry, by this device's clock; `nil` if unknown.
    let expires: Date?

    /// The time that a token must work for, in seconds.
    static let leastLife = TimeInterval(30)

    /// Whether it works for that time; `true` when its expiry is unknown.
    var isAlive: Bool { expires.map { $0 >= TimeSource.system.now() + Self.leastLife } ?? true }

    /// The same token, if it can be a line of a protocol, a header or a variable.
    ///
    /// Standard: RFC 6749 appendix A.12.
    ///
    /// - Throws: a ``CommandError`` for an empty one, and one with a character that no token may have.
    func checked() throws(CommandError) -> ProgramToken {
        guard !revealed.isEmpty, revealed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError("The server's token has a character that no token may have.")
        }
        return self
    }

    /// Text that tells tokens apart without showing one.
    var digest: String { URLSafeText.encode(SecretDigest(of: revealed).bytes) }
}
