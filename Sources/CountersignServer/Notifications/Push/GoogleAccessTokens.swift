internal import CountersignTransport
internal import HTTPTypes
internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// The access tokens of a service account; each is used until shortly before its expiry.
///
/// Standard: RFC 7523 §2.1.
final class GoogleAccessTokens: Sendable {
    enum Acquisition: Sendable {
        case token(PushProviderToken)
        case failed(DeliveryOutcome)
    }

    private struct CachedToken {
        let token: PushProviderToken
        let ends: Date
    }

    private struct Answer: Decodable {
        let access_token: String
        let expires_in: Int?
    }

    /// The margin before the expiry in which a token is no longer used, in seconds.
    private static let margin: TimeInterval = 60

    private let account: GoogleServiceAccount
    private let clock: TimeSource
    private let transport: any HTTPTransport
    private let kept = NIOLockedValueBox<CachedToken?>(nil)

    init(_ account: GoogleServiceAccount, clock: TimeSource, over transport: any HTTPTransport) {
        self.account = account
        self.clock = clock
        self.transport = transport
    }

    /// The current token.
    func current() async -> Acquisition {
        let now = clock.now()
        if let kept = kept.withLockedValue({ $0 }), now < kept.ends { return .token(kept.token) }
        guard let assertion = try? account.assertion(at: now) else { return .failed(.retry("no signature")) }
        var form = Form()
        form["grant_type"] = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        form["assertion"] = assertion
        var request = account.tokenEndpoint.request(.post)
        request.headerFields[.contentType] = Form.mediaType
        do {
            let answer = try await transport.send(request, body: Array(form.encoded.utf8), within: .seconds(3))
            guard answer.response.status == .ok, let granted = try? answer.decoded(Answer.self) else {
                let status = answer.response.status.code
                return .failed(.retry("no access token: status \(status)", after: answer.secondsToWait))
            }
            let token = PushProviderToken(revealing: granted.access_token)
            let lifetime = Double(min(max(granted.expires_in ?? 0, 0), 86_400))
            kept.withLockedValue { $0 = CachedToken(token: token, ends: now + (lifetime - Self.margin)) }
            return .token(token)
        } catch {
            return .failed(.retry("no access token: \(error.code.rawValue)"))
        }
    }

    /// Drops a refused token.
    func forget(_ token: PushProviderToken) {
        kept.withLockedValue { if $0?.token == token { $0 = nil } }
    }
}
