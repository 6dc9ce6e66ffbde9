internal import Countersign
package import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which one of its secrets a site used.
///
/// After a renewal two are accepted for a while, and the customer's server may know one of them only.
package struct CustomerSiteSecretReference: Sendable, Equatable, Codable {
    private let digest: String

    package init(to secret: CustomerSiteSecret) {
        digest = URLSafeText.encode(secret.digest.bytes)
    }
}
