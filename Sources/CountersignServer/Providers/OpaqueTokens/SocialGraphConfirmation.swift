internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Asks a provider with a social graph whose an access token is, and whether it was made for our app.
///
/// `debug_token` names the app and the person that the token was made for; `me`, with a proof that we have the app's
/// secret, says that the token really works, and must name the same person. The name is all that is asked for: an
/// e-mail address would not be known to be verified.
struct SocialGraphConfirmation: Sendable {
    let settings: IdentityProvider.SocialGraph
    let transport: any HTTPTransport
    let clock: TimeSource

    /// The person of a token.
    ///
    /// - Throws: ``ProviderError``, with the code `token` when the token is not good, and `refused` when the provider
    ///   does not accept our app.
    func person(of token: AccessToken) async throws(ProviderError) -> ConfirmedPerson {
        let now = clock.now()
        let inspected = try await inspection(of: token)
            .message("debug_token", as: TokenInspection.self, orAs: SocialGraphError.otherMedia)
        let accepted = try inspected.accepted(for: settings.app, at: now)
        let profile = try await profile(of: token)
        guard profile.id.text == accepted.subject else {
            throw ProviderError(.token, because: "debug_token and me name different people")
        }
        return try ConfirmedPerson(
            subject: accepted.subject,
            name: profile.name,
            confirmed: now,
            expires: accepted.expires
        )
    }

    /// The provider's statement about a token, unless it does not accept our app.
    func inspection(of token: AccessToken) async throws(ProviderError) -> HTTPAnswer {
        var form = Form()
        form["input_token"] = token.revealed
        let app = AccessToken(revealing: "\(settings.app)|\(settings.secret.revealed)")
        let answer = try await ask("debug_token", form, as: app)
        // Whatever is wrong with the token itself stands inside a good answer.
        if let error = SocialGraphError(in: answer.body) {
            throw ProviderError(error.isTemporary ? .busy : .refused, because: "debug_token: \(error.numbers)")
        }
        return answer
    }

    private struct Profile: Decodable {
        let id: StringOrNumber
        let name: String?
    }

    private func profile(of token: AccessToken) async throws(ProviderError) -> Profile {
        var form = Form()
        form["fields"] = "id,name"
        form["appsecret_proof"] = Self.proof(of: token, by: settings.secret)
        let answer = try await ask("me", form, as: token)
        if let error = SocialGraphError(in: answer.body) {
            guard !error.isTemporary else { throw ProviderError(.busy, because: "me: \(error.numbers)") }
            let isAboutToken = error.error.code == SocialGraphError.tokenRefused
            throw ProviderError(isAboutToken ? .token : .refused, because: "me: \(error.numbers)")
        }
        return try answer.message("me", as: Profile.self, orAs: SocialGraphError.otherMedia)
    }

    /// The token stands in the query, which is the one form that the provider documents for both.
    private func ask(_ name: String, _ form: Form, as token: AccessToken) async throws(ProviderError) -> HTTPAnswer {
        var form = form
        form["access_token"] = token.revealed
        let address = "\(settings.base)/\(settings.version)/\(name)?\(form.encoded)"
        let request = try ProviderMetadata.endpoint(address, "the address of \(name)").request(.get)
        return try await transport.ask(request, within: ProviderMetadata.limit)
    }

    /// Proves that a request with a person's token comes from who has the app's secret.
    static func proof(of token: AccessToken, by secret: ProviderSecret) -> String {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(token.revealed.utf8), using: key)
        return HexadecimalText.encode(code)
    }
}
