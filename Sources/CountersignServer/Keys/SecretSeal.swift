internal import Crypto
internal import FoundationEssentialsCompat

/// The use of sealed bytes, which another use, person or browser cannot open.
struct SealedUse: Sendable {
    /// The use and its bindings, as one text.
    fileprivate let bound: String

    /// The one-time passwords of a person, in the store.
    static func stored(of subject: Subject) -> SealedUse {
        SealedUse(bound: "stored one-time passwords\n\(subject)")
    }

    /// The one-time passwords during their setup, in the form of the page.
    static func enrolling(_ subject: Subject, in cookie: BrowserCookie) -> SealedUse {
        SealedUse(bound: "one-time passwords being set up\n\(subject)\n\(URLSafeText.encode(cookie.digest.bytes))")
    }

    /// The notification of a client about a request over the back channel, in the store.
    static func notification(of request: SignInRequest.ID) -> SealedUse {
        SealedUse(bound: "notification of a client\n\(request)")
    }

    /// The words of a text message, in the store.
    static func message(_ delivery: Delivery.ID) -> SealedUse {
        SealedUse(bound: "text message\n\(delivery)")
    }

    /// The one-time password of a request, in the store.
    static func password(of request: SignInRequest.ID) -> SealedUse {
        SealedUse(bound: "one-time password of a request\n\(request)")
    }

    /// The code that a person types on a screen, in the store.
    static func personCode(of subject: Subject) -> SealedUse {
        SealedUse(bound: "code of a person for a screen\n\(subject)")
    }

    /// The secret of a site, in the store.
    static func secret(of environment: CustomerSiteID) -> SealedUse {
        SealedUse(bound: "secret of an environment\n\(environment)")
    }

    /// The shared secret of a device with the older SDK and a site, in the store.
    static func secret(of device: DeviceRegistration.ID, in environment: CustomerSiteID) -> SealedUse {
        SealedUse(bound: "secret of a device in an environment\n\(device)\n\(environment)")
    }

    /// The shared secret for a future device of a person and a site, in the store.
    static func secret(offeredTo subject: Subject, by environment: CustomerSiteID) -> SealedUse {
        SealedUse(bound: "secret for a device in an environment\n\(subject)\n\(environment)")
    }

    /// A sign-in with a right password, in the form of the page for the second factor.
    static func pendingSignIn(in cookie: BrowserCookie) -> SealedUse {
        SealedUse(bound: "sign-in that waits for a second factor\n\(URLSafeText.encode(cookie.digest.bytes))")
    }
}

/// Seals secrets that the server reads again.
struct SecretSeal: Sendable {
    private let key: SymmetricKey

    init(_ key: SymmetricKey) {
        self.key = key
    }

    /// The sealed form of bytes.
    ///
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    func sealed(_ bytes: [UInt8], for use: SealedUse) throws -> [UInt8] {
        Array(try ChaChaPoly.seal(bytes, using: key, authenticating: Array(use.bound.utf8)).combined)
    }

    /// The opened bytes; `nil` for another use or key.
    func opened(_ sealed: [UInt8], for use: SealedUse) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: sealed),
            let bytes = try? ChaChaPoly.open(box, using: key, authenticating: Array(use.bound.utf8))
        else { return nil }
        return Array(bytes)
    }
}
