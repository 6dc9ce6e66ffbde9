internal import Countersign
internal import CountersignHTTP
internal import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat

/// The keys of a gate: one that seals its sign-ins, and one that signs its statements to sites.
struct GateKeys: Sendable {
    private static let name = "gate.key"

    private let seal: SymmetricKey
    private let signing: P256.Signing.PrivateKey
    private let keyID: JSONWebKey.ID
    /// The public key, for sites.
    let published: JSONWebKeySet

    /// The form of the file.
    private struct Stored: Codable {
        let seal: String
        let signing: String
    }

    private init(seal: SymmetricKey, signing: P256.Signing.PrivateKey) {
        self.seal = seal
        self.signing = signing
        let point = Array(signing.publicKey.rawRepresentation)
        keyID = JSONWebKey.ID(URLSafeText.encode(SecretDigest(of: point).bytes.prefix(12)))
        published = JSONWebKeySet(keys: [.p256(id: keyID, x: point.prefix(32), y: point.suffix(32))])
    }

    /// Reads the keys in a folder, and makes them where there are none; only this user may read the file.
    ///
    /// - Throws: ``GateStateError``.
    init(in folder: String, drawingFrom random: RandomSource) throws(GateStateError) {
        if let found = try Self.found(in: folder) {
            self = found
            return
        }
        let seal = URLSafeText.encode(random.bytes(32))
        let signing = URLSafeText.encode(Array(P256.Signing.PrivateKey().rawRepresentation))
        let made = (try? JSONEncoder().encode(Stored(seal: seal, signing: signing))).map { Array($0) } ?? []
        do throws(PrivateFileError) {
            _ = try PrivateDirectory(path: folder).create(Self.name, holding: made)
        } catch {
            throw GateStateError(keys: folder, because: error)
        }
        // Another process may have made them first.
        let found = try Self.found(in: folder)
        self = if let found { found } else { try GateKeys(reading: made, in: folder) }
    }

    /// Reads the keys in a folder; `nil` where there are none. It writes nothing.
    ///
    /// - Throws: ``GateStateError``.
    static func found(in folder: String) throws(GateStateError) -> GateKeys? {
        let bytes: [UInt8]?
        do throws(PrivateFileError) {
            bytes = try PrivateDirectory(path: folder).read(Self.name, refusesExposed: true)
        } catch {
            throw GateStateError(keys: folder, because: error)
        }
        guard let bytes else { return nil }
        return try GateKeys(reading: bytes, in: folder)
    }

    private init(reading bytes: [UInt8], in folder: String) throws(GateStateError) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)),
            let seal = URLSafeText.decode(stored.seal), seal.count == 32,
            let raw = URLSafeText.decode(stored.signing),
            let signing = try? P256.Signing.PrivateKey(rawRepresentation: raw)
        else {
            throw GateStateError(
                reason: "\(folder)/\(Self.name) holds no keys.",
                advice: "Remove it: new ones are made at the next start.")
        }
        self.init(seal: SymmetricKey(data: seal), signing: signing)
    }

    /// Seals bytes that only the same browser can hand back.
    func sealed(_ bytes: [UInt8], for browser: String) throws -> String {
        URLSafeText.encode(
            Array(try ChaChaPoly.seal(bytes, using: seal, authenticating: Self.bound(to: browser)).combined))
    }

    /// Opens bytes; `nil` for those of another browser, or of another gate.
    func opened(_ text: String, for browser: String) -> [UInt8]? {
        guard let combined = URLSafeText.decode(text), let box = try? ChaChaPoly.SealedBox(combined: combined),
            let bytes = try? ChaChaPoly.open(box, using: seal, authenticating: Self.bound(to: browser))
        else { return nil }
        return Array(bytes)
    }

    /// Derives a secret of one sign-in from its seed.
    func derived(_ use: String, from seed: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(use)\n".utf8) + seed, using: seal)
        return URLSafeText.encode(Array(code))
    }

    /// Signs a statement to a site, as a JWT by ES256.
    ///
    /// Standard: RFC 7515 §3.1; RFC 7518 §3.4.
    func signed(_ claims: some Encodable) throws -> String {
        let header = CompactJWS.Header(algorithm: "ES256", keyID: keyID, type: "JWT")
        let encoder = JSONEncoder.wire
        return try CompactJWS.text(
            header: Array(try encoder.encode(header)), payload: Array(try encoder.encode(claims))
        ) { Array(try signing.signature(for: $0).rawRepresentation) }
    }

    private static func bound(to browser: String) -> [UInt8] { Array("sign-in of a browser\n\(browser)".utf8) }
}

/// An error of the folder with keys and sessions, with a sentence for the operator.
package struct GateStateError: Error, Sendable, CustomStringConvertible {
    let reason: String
    let advice: String

    init(reason: String, advice: String) {
        self.reason = reason
        self.advice = advice
    }

    init(keys folder: String, because error: PrivateFileError) {
        self.init(unusable: folder, for: "keys", because: error)
    }

    init(sessions folder: String, because error: PrivateFileError) {
        self.init(unusable: folder, for: "sessions", because: error)
    }

    private init(unusable folder: String, for content: String, because error: PrivateFileError) {
        reason = "The \(content) of the gate cannot be kept in \(folder): \(error.reason)."
        advice = "The user who runs the gate has to own the folder, with mode 700."
    }

    package var description: String { "\(reason) \(advice)" }
}
