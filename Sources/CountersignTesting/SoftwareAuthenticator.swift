public import Countersign
public import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat

/// A browser with an authenticator that keeps one passkey: answers what a page would ask of `navigator.credentials`.
///
/// ```swift
/// var authenticator = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
/// let registration = authenticator.create(options, at: "https://signin.example.com")
/// ```
///
/// Standard: Web Authentication Level 3 §6.
public struct SoftwareAuthenticator: Sendable {
    /// The acts that the authenticator claims; present, verified and not backed up by default.
    public var flags: AuthenticatorData.Flags = [.userPresent, .userVerified]
    /// The number of its signatures; it does not count while this is `nil`.
    public var counter: UInt32?
    /// The name of its passkey.
    public let id: CredentialID
    /// The person of the passkey; `nil` before it is made.
    public private(set) var userHandle: UserHandle?
    private let key: P256.Signing.PrivateKey

    /// An authenticator without a passkey.
    ///
    /// - Parameter random: The source of its key and of the name of its passkey.
    public init(drawingFrom random: RandomSource) {
        id = CredentialID(rawValue: URLSafeText.encode(random.bytes(16)))
        var key: P256.Signing.PrivateKey?
        // A few numbers in 2^32 are no keys.
        while key == nil { key = try? P256.Signing.PrivateKey(rawRepresentation: random.bytes(32)) }
        self.key = key ?? P256.Signing.PrivateKey()
    }

    package var publicKey: [UInt8] {
        let point = Array(key.publicKey.rawRepresentation)
        return CBORValue.map([
            CBORValue.Member(.number(1), .number(2)), CBORValue.Member(.number(3), .number(-7)),
            CBORValue.Member(.number(-1), .number(1)), CBORValue.Member(.number(-2), .bytes(Array(point[..<32]))),
            CBORValue.Member(.number(-3), .bytes(Array(point[32...]))),
        ]).encoded
    }

    /// Makes a passkey.
    ///
    /// - Parameters:
    ///   - options: The options of the page.
    ///   - origin: The origin of the page.
    /// - Returns: The JSON of the credential, without attestation.
    public mutating func create(_ options: CredentialCreationOptions, at origin: String) -> String {
        userHandle = options.user.id
        let clientData = Self.clientData("webauthn.create", options.challenge, origin)
        let name = URLSafeText.decode(id.rawValue) ?? []
        let credential = [UInt8](repeating: 0, count: 16) + [0, UInt8(name.count)] + name + publicKey
        let data = authenticatorData(of: options.party.id, AuthenticatorData.Flags(rawValue: 0x40)) + credential
        let object = CBORValue.map([
            CBORValue.Member(.text("fmt"), .text("none")), CBORValue.Member(.text("attStmt"), .map([])),
            CBORValue.Member(.text("authData"), .bytes(data)),
        ])
        return json(of: [
            "clientDataJSON": URLSafeText.encode(clientData), "attestationObject": URLSafeText.encode(object.encoded),
        ])
    }

    /// Signs with the passkey.
    ///
    /// - Parameters:
    ///   - options: The options of the page.
    ///   - origin: The origin of the page.
    /// - Returns: The JSON of the credential.
    public mutating func get(_ options: CredentialRequestOptions, at origin: String) -> String {
        counter = counter.map { $0 + 1 }
        let clientData = Self.clientData("webauthn.get", options.challenge, origin)
        let data = authenticatorData(of: options.partyID)
        let signed = data + Array(SHA256.hash(data: clientData))
        let signature = (try? key.signature(for: Data(signed))).map { Array($0.derRepresentation) } ?? []
        return json(of: [
            "clientDataJSON": URLSafeText.encode(clientData), "authenticatorData": URLSafeText.encode(data),
            "signature": URLSafeText.encode(signature), "userHandle": userHandle?.rawValue ?? "",
        ])
    }

    private func authenticatorData(of party: String, _ added: AuthenticatorData.Flags = []) -> [UInt8] {
        let counter = self.counter ?? 0
        return Array(SHA256.hash(data: Array(party.utf8))) + [flags.union(added).rawValue]
            + (0..<4).reversed().map { UInt8(truncatingIfNeeded: counter >> ($0 * 8)) }
    }

    private static func clientData(_ type: String, _ challenge: String, _ origin: String) -> [UInt8] {
        Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false}"#.utf8)
    }

    private func json(of response: [String: String]) -> String {
        let members = response.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
        return #"{"id":"\#(id)","rawId":"\#(id)","type":"public-key","clientExtensionResults":{},"#
            + #""authenticatorAttachment":"platform","response":{\#(members.joined(separator: ","))}}"#
    }
}
