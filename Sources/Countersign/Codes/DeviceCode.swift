/// The secret half of a pair of codes: the requester keeps it and redeems the grant with it.
///
/// The instant of minting and 208 random bits, as 43 characters of base64url.
/// Standard: RFC 8628 §3.2 (`device_code`).
public struct DeviceCode: TimeOrderedSecret {
    /// The code as the requester sends it in each token request.
    public let revealed: String
    /// Creates a device code.
    ///
    /// - Parameter text: The code as the server minted it or as a client presented it; any text is accepted.
    public init(revealing text: String) { revealed = text }
}
