internal import Crypto
internal import FoundationEssentialsCompat

/// The purpose of a passkey ceremony; a challenge is valid for one purpose.
enum CeremonyPurpose: Sendable, Equatable {
    /// The registration of a passkey.
    case registration(Subject)
    /// A sign-in.
    case signIn
    /// The approval of one request, or of an authorization request with these parameters.
    case approval(of: String, by: Subject)

    /// The purpose of approving a request of a screen.
    static func approving(_ request: SignInRequest.ID, by subject: Subject) -> CeremonyPurpose {
        .approval(of: "request \(request)", by: subject)
    }

    fileprivate var text: String {
        switch self {
        case .registration(let subject): "registration\n\(subject)"
        case .signIn: "sign-in"
        case .approval(let what, let subject): "approval\n\(subject)\n\(what)"
        }
    }
}

extension Keys {
    /// The lifetime of a challenge, in seconds.
    static let challengeLifetime: TimeInterval = 1800

    private static let timeBytes = 8
    private static let randomBytes = 8

    /// A challenge of 32 bytes for one purpose in one browser: time, random bytes, and a code under a key of the
    /// server. It is stored only when it is answered.
    func challenge(
        for purpose: CeremonyPurpose, in cookie: BrowserCookie, at now: Date, by mint: CodeMint
    ) -> CeremonyChallenge {
        let seconds = UInt64(max(0, now.timeIntervalSince1970))
        let time = (0..<Self.timeBytes).reversed().map { UInt8(truncatingIfNeeded: seconds >> ($0 * 8)) }
        let start = time + mint.keyBytes(Self.randomBytes)
        return CeremonyChallenge(revealing: URLSafeText.encode(start + code(over: start, purpose, cookie)))
    }

    /// The expiry of a challenge; `nil` unless it is valid for this purpose in this browser.
    func end(
        of challenge: CeremonyChallenge, for purpose: CeremonyPurpose, in cookie: BrowserCookie, at now: Date
    ) -> Date? {
        guard let bytes = URLSafeText.decode(challenge.revealed), bytes.count == 32 else { return nil }
        let start = Array(bytes[..<(Self.timeBytes + Self.randomBytes)])
        guard
            SecretDigest(restoring: code(over: start, purpose, cookie))
                == SecretDigest(restoring: Array(bytes[start.count...]))
        else { return nil }
        let seconds = start[..<Self.timeBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let made = Date(named: seconds)
        let end = made + Self.challengeLifetime
        return made <= now + 1 && now < end ? end : nil
    }

    private func code(over start: [UInt8], _ purpose: CeremonyPurpose, _ cookie: BrowserCookie) -> [UInt8] {
        let text = "\(URLSafeText.encode(start))\n\(URLSafeText.encode(cookie.digest.bytes))\n\(purpose.text)"
        let code = URLSafeText.decode(authenticationCode(for: text, use: "passkey challenge")) ?? []
        return Array(code.prefix(32 - start.count))
    }
}
