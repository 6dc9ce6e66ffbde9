internal import FoundationEssentialsCompat

/// The members read from the JSON of `PublicKeyCredential.toJSON()`.
///
/// Standard: Web Authentication Level 3 §5.1 (`RegistrationResponseJSON`, `AuthenticationResponseJSON`).
struct CredentialJSON: Decodable {
    struct Response: Decodable {
        let clientDataJSON: String
        let attestationObject: String?
        let transports: [String?]?
        let authenticatorData: String?
        let signature: String?
        let userHandle: String?
    }

    /// The most bytes that are read.
    private static let longest = 131_072

    let id: String
    let rawId: String
    let type: String
    let response: Response

    static func read(_ json: some Collection<UInt8>) throws(PasskeyError) -> CredentialJSON {
        guard json.count <= longest, let read = try? JSONDecoder().decode(Self.self, from: Data(json)) else {
            throw PasskeyError(.malformed, because: "the credential is not the JSON of a browser")
        }
        guard read.type == "public-key", read.id == read.rawId else {
            throw PasskeyError(.malformed, because: "the credential is of another type, or has two names")
        }
        return read
    }

    func credentialID() throws(PasskeyError) -> CredentialID {
        guard let id = CredentialID(parsing: id) else { throw PasskeyError(.malformed, because: "no credential ID") }
        return id
    }

    static func bytes(_ text: String?, _ name: StaticString) throws(PasskeyError) -> [UInt8] {
        guard let text, let bytes = URLSafeText.decode(text) else {
            throw PasskeyError(.malformed, because: "\(name) is missing or no base64url")
        }
        return bytes
    }
}
