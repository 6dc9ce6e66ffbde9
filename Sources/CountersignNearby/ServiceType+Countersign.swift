internal import Crypto
internal import FoundationEssentialsCompat

extension ServiceType {
    /// The type of approvers: `_countersign._tcp`.
    public static let countersign = ServiceType(name: "_countersign", transport: .tcp)

    /// The approvers of one app: the subtype is derived from the app's id.
    ///
    /// It is `_` and the first 16 characters of the lower-case base32 of the id's SHA-256. It is a filter only: the
    /// handshake binds the id itself.
    ///
    /// - Parameter app: The app's id, as in ``NearbyAppID``.
    public static func countersign(app: String) -> ServiceType {
        let subtype = "_" + LowercaseBase32.lowercase(Array(SHA256.hash(data: Array(app.utf8))).prefix(10))
        return countersign.narrowed(to: subtype) ?? countersign
    }
}
