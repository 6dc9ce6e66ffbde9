internal import Countersign
internal import CountersignWire
internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The purpose of a passkey ceremony; a challenge for one purpose is no good for another.
enum CeremonyPurpose: Sendable, Equatable {
    /// Makes a passkey for their account.
    case registration(Subject)
    /// Signs in.
    case signIn
    /// Approves one request, or an authorization request with these parameters.
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

    /// A challenge of 32 bytes for one purpose in one browser: its time, random bytes, and a code that only this server
    /// can make. Nothing is stored before it is answered.
    func challenge(
        for purpose: CeremonyPurpose,
        in cookie: BrowserCookie,
        at now: Date,
        by mint: CodeMint
    ) -> CeremonyChallenge {
        let seconds = UInt64(max(0, now.timeIntervalSince1970))
        let time = (0..<Self.timeBytes).reversed().map { UInt8(truncatingIfNeeded: seconds >> ($0 * 8)) }
        let start = time + mint.keyBytes(Self.randomBytes)
        return CeremonyChallenge(revealing: URLSafeText.encode(start + code(over: start, purpose, cookie)))
    }

    /// The expiry of a challenge that a browser answers; `nil` unless it was made for this purpose in this browser, and
    /// can still be answered.
    func end(
        of challenge: CeremonyChallenge,
        for purpose: CeremonyPurpose,
        in cookie: BrowserCookie,
        at now: Date
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
