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

    /// Whether it works for another 30 s; `true` when its expiry is unknown.
    var isAlive: Bool { expires.map { $0 >= TimeSource.system.now() + 30 } ?? true }

    /// Text that tells tokens apart without showing one.
    var digest: String { URLSafeText.encode(SecretDigest(of: revealed).bytes) }
}
