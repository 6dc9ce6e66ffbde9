internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension ServeSettings {
    @Sendable static func passkeyApps(_ text: String) throws -> Set<AndroidAppOrigin> {
        let objection =
            "is no Android app: it is android:apk-key-hash: and the SHA-256 digest of the app's certificate as base64url."
        return Set(try Setting.list(text, orSay: objection, AndroidAppOrigin.init(parsing:)))
    }

    /// The limit of the control group or of the settings, whichever is smaller; without both, the machine's memory.
    static func memory(in settings: ConfigReader) throws -> MemoryLimit {
        let bytes = try settings.string(forKey: "memory").map { text in
            try MemoryLimit.bytes(parsing: text).flatMap { $0 < 64 << 20 ? nil : $0 }.or(
                usage: "The setting memory is a number of bytes, as in 512M or 2G; at least 64M.")
        }
        return MemoryLimit(asked: bytes) { path in
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The demands of scope values; a value that is there twice has those of both.
    @Sendable static func minimumEvidence(_ text: String) throws -> [ScopeWord: ScopeDemands] {
        var minimum: [ScopeWord: ScopeDemands] = [:]
        for part in text.split(separator: " ") {
            guard let mark = part.lastIndex(of: "="), let word = ScopeWord(parsing: String(part[..<mark])),
                let demands = ScopeDemands(parsing: String(part[part.index(after: mark)...])), demands != .none
            else {
                throw CommandError.usage(
                    "minimum-evidence takes words with demands, as in pay=user_verified,recent:300; not \(part).")
            }
            minimum[word] = minimum[word]?.adding(demands) ?? demands
        }
        return minimum
    }

    /// The rules for registering clients; `nil` if no one may.
    static func registration(in settings: ConfigReader) throws -> RegistrationPolicy? {
        let text = settings.string(forKey: "registration") ?? "off"
        let key = "registration-scope"
        let scope = try Setting.scope(settings.string(forKey: ConfigKey(key)) ?? "", of: key)
        guard text != "off" else { return nil }
        let access = try RegistrationPolicy.Access(rawValue: text).or(
            usage: "The setting registration is off, token or open; not \(text.isEmpty ? "an empty text" : text).")
        return RegistrationPolicy(access: access, scope: scope)
    }

    /// The settings of the legacy device API; `nil` when it is off.
    static func legacyAuthenticator(in settings: ConfigReader) throws -> LegacyAuthenticator? {
        let path = settings.string(forKey: "legacy-pin-key")
        guard try settings.truth("legacy-authenticator") else {
            guard path == nil else { throw CommandError.usage("legacy-pin-key needs legacy-authenticator.") }
            return nil
        }
        return LegacyAuthenticator(
            pinKey: try path.map { path in
                let pem = try PrivateKeyFile.text(at: path)
                do {
                    return try LegacyCertificatePinKey(pem: pem)
                } catch {
                    throw CommandError(
                        "The key file \(path) holds no RSA key of at least 2048 bits, as PEM without a passphrase.")
                }
            })
    }

    /// The signed list of certificates in a file.
    @Sendable static func pins(at path: String) throws -> SignedCertificatePins {
        let text = try SuppliedText.text(in: path, called: "The list of pins")
        return try (try? SignedCertificatePins(text)).or(
            failure: "The file \(path) holds no list of pins. One is made by: countersign admin pins sign")
    }
}
