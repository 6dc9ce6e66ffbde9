internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The settings that single apps need: certificates, web pages, passkeys of apps, proofs of possession, and devices with
/// the older SDK.
///
/// ``Exposure`` reads those of certificates.
enum AppSettings: SettingSection {
    static let settings = [
        Setting.value(
            "passkey-apps", takes: "origins",
            "Your own Android apps that may use passkeys, as android:apk-key-hash:…, with commas between. (default: none)",
            form: .list, to: \.passkeyApps, passkeyApps),
        .value(
            "user-verifying-apps", takes: "clients",
            """
            The apps that are believed when their enrolled devices say that they verified the person: identifiers of \
            clients, with spaces between. (default: none)
            """,
            to: \.userVerifyingApps
        ) { text in
            Set(text.split(separator: " ").map { ClientID(String($0)) })
        },
        .truth(
            "require-dpop-nonce", "Every DPoP proof needs a nonce of the server, whichever client sends it.",
            to: \.requiresDPoPNonce),
        .seconds(
            "lost-answer-window",
            """
            For how long a lost token answer is repeated to an app that shows nothing but its network, in seconds. \
            (default: 3600; 0 for ten seconds at most)
            """,
            in: 0...86_400, to: \.lostAnswerWindow),
        .value(
            "cpa-origins", takes: "origins",
            "The web pages that may ask below /cpa, by origin, with commas between. (default: none)",
            form: .list, to: \.crossPlatformOrigins
        ) { text in
            try Setting.list(
                text, orSay: "is no origin of web pages, as in https://radio.example.com.", WebOrigin.init(parsing:))
        },
        Setting(
            "client-certificates", takes: "file",
            "A file with the authorities whose certificates apps may authenticate by, as PEM."),
        Setting(
            "client-certificates-listen", takes: "host:port",
            "Where to listen besides for apps with certificates; browsers must not come here."),
        Setting(
            "client-certificates-url", takes: "url",
            "The https address of that listener. (default: the issuer's host with the port of the listener)"),
        Setting(
            "legacy-authenticator",
            "Answer devices whose apps were built with the older SDK, at /authenticator/v1.0. Weaker than our own.",
            form: .truth
        ) {
            $1.legacyAuthenticator = try legacyAuthenticator(in: $0)
        },
        Setting(
            "legacy-pin-key", takes: "file",
            "A file with the RSA key whose public half is built into such apps, as PEM; it signs their list of pins."),
        .value(
            "authenticator-pins", takes: "file",
            "A file with the signed list of certificates that apps accept, made by 'countersign admin pins sign'.",
            to: \.pins, pins),
    ]

    @Sendable private static func passkeyApps(_ text: String) throws -> Set<AndroidAppOrigin> {
        let objection =
            "is no Android app: it is android:apk-key-hash: and the SHA-256 digest of the app's certificate as base64url."
        return Set(try Setting.list(text, orSay: objection, AndroidAppOrigin.init(parsing:)))
    }

    /// The settings of the legacy device API; `nil` when it is off.
    private static func legacyAuthenticator(in settings: ConfigReader) throws -> LegacyAuthenticator? {
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
    @Sendable private static func pins(at path: String) throws -> SignedCertificatePins {
        let text = try SuppliedText.text(in: path, called: "The list of pins")
        return try (try? SignedCertificatePins(text)).or(
            failure: "The file \(path) holds no list of pins. One is made by: countersign admin pins sign")
    }
}
