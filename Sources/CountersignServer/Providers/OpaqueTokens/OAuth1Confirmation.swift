internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Asks a provider of OAuth 1.0 whose a token is, by a request that is signed with the secrets of our app and of the
/// token: a token of another app, or a wrong secret, makes no signature that the provider accepts.
///
/// Standard: RFC 5849 §3.
struct OAuth1Confirmation: Sendable {
    let settings: IdentityProvider.OAuth1
    let transport: any HTTPTransport
    let clock: TimeSource
    let random: RandomSource

    private struct Profile: Decodable {
        let id: String
        let name: String?
        let screenName: String?

        enum CodingKeys: String, CodingKey {
            case id = "id_str"
            case name
            case screenName = "screen_name"
        }
    }

    /// The person of a token.
    ///
    /// - Throws: ``ProviderError``, with the code `token` when the token or its secret is not good, and `refused`
    ///   when the provider does not accept our app.
    func person(of token: TokenCredentials) async throws(ProviderError) -> ConfirmedPerson {
        let now = clock.now()
        let path = "1.1/account/verify_credentials.json?include_entities=false&skip_status=true"
        let answer = try await send(.get, path, for: token)
        switch answer.response.status.code {
        case 200: break
        case 401, 403: throw try await refusal(answer)
        default: throw ProviderError(.badAnswer, because: "status \(answer.response.status.code)")
        }
        let profile = try answer.message("the profile", as: Profile.self)
        return try ConfirmedPerson(subject: profile.id, name: profile.name ?? profile.screenName, confirmed: now)
    }

    /// Whether the provider rejected the app's credentials or the token. Its answer does not tell a wrong app secret
    /// from a wrong token secret, so the provider is asked whether it accepts the app alone.
    private func refusal(_ answer: HTTPAnswer) async throws(ProviderError) -> ProviderError {
        let (status, code) = (answer.response.status.code, TwitterError.code(in: answer.body))
        let reason = "status \(status)\(code.map { ", error \($0)" } ?? "")"
        switch (status, code) {
        case (_, TwitterError.wrongTime?): return ProviderError(.refused, because: "\(reason): our clock is wrong")
        case (_, TwitterError.suspended?), (_, TwitterError.locked?), (401, TwitterError.expiredToken?):
            return ProviderError(.token, because: reason)
        case (401, _):
            switch AppVerdict(try await askForApp()) {
            case .accepted: return ProviderError(.token, because: reason)
            case .refused:
                return ProviderError(.refused, because: "\(reason): the consumer key or secret is wrong")
            case .wrongTime: return ProviderError(.refused, because: "\(reason): our clock is wrong")
            case .unclear: return ProviderError(.badAnswer, because: "\(reason), and no answer about the app")
            }
        default: return ProviderError(.refused, because: reason)
        }
    }

    /// Asks for temporary credentials, which takes nothing but the app's own key and secret.
    ///
    /// Standard: RFC 5849 §2.1.
    func askForApp() async throws(ProviderError) -> HTTPAnswer {
        try await send(.post, "oauth/request_token", adding: [.callback("oob")])
    }

    /// The provider's verdict on a request that is signed by the app alone.
    enum AppVerdict {
        case accepted
        case wrongTime
        case refused
        /// An answer that OAuth 1 does not have.
        case unclear

        init(_ answer: HTTPAnswer) {
            self =
                switch (answer.response.status.code, TwitterError.code(in: answer.body)) {
                // The signature is looked at first.
                case (200, _), (_, TwitterError.callbackNotApproved?): .accepted
                case (_, TwitterError.wrongTime?): .wrongTime
                case (400, _), (401, _), (403, _): .refused
                default: .unclear
                }
        }
    }

    /// The answer to a signed request.
    ///
    /// - Parameters:
    ///   - path: The path below the base address.
    ///   - token: The token that signs beside the app's own key; `nil` for the app alone.
    ///   - extra: Parameters of the protocol beside the usual ones.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        for token: TokenCredentials? = nil,
        adding extra: [OAuth1Parameter] = []
    ) async throws(ProviderError) -> HTTPAnswer {
        let address = "\(settings.base)/\(path)"
        let endpoint = try ProviderMetadata.endpoint(address, "the address")
        let signer = OAuth1Signer(
            as: ClientCredentials(client: settings.consumer, secret: OAuth1Secret(revealing: settings.secret.revealed)),
            for: token,
            clock: clock,
            drawingFrom: random
        )
        var request = endpoint.request(method)
        do throws(OAuth1Error) {
            request.headerFields[.authorization] = try signer.sign(OAuth1Request(method, address), adding: extra).header
        } catch {
            throw ProviderError(.refused, because: error.reason)
        }
        return try await transport.ask(request, within: ProviderMetadata.limit)
    }
}
