/// The secret half of a pair of codes: the requester keeps it and redeems the grant with it.
///
/// 256 random bits as 43 characters of base64url.
/// Standard: RFC 8628 §3.2 (`device_code`).
public struct DeviceCode: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}
