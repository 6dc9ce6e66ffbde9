internal import FoundationEssentialsCompat

/// A reference to one of the secrets of a site.
///
/// After a renewal two secrets are accepted for a while, and the customer's server may know only one.
package struct CustomerSiteSecretReference: Sendable, Equatable, Codable {
    private let digest: String

    package init(to secret: CustomerSiteSecret) {
        digest = URLSafeText.encode(secret.digest.bytes)
    }
}
