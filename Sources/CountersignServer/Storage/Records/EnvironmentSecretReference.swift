internal import Countersign
package import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which one of its secrets an environment used.
///
/// After a renewal two are accepted for a while, and the customer's server may know one of them only.
package struct EnvironmentSecretReference: Sendable, Equatable, Codable {
    private let digest: String

    package init(to secret: EnvironmentSecret) {
        digest = URLSafeText.encode(secret.digest.bytes)
    }
}

extension Keys {
    /// The secrets of an environment that are accepted at an instant, the newest first.
    func secrets(of environment: AuthenticatorEnvironment, at now: Date) -> [EnvironmentSecret] {
        let replaced = environment.replaced.flatMap { now < $0.ends ? $0.sealed : nil }
        return [environment.secret, replaced].compactMap(\.self).compactMap { opened($0, of: environment.id) }
    }
}
