internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Asks a provider whose a bearer token is. The provider does not say which app the token was made for: that a client
/// may vouch for that is decided before.
struct BearerConfirmation: Sendable {
    let settings: IdentityProvider.Bearer
    let transport: any HTTPTransport
    let clock: TimeSource

    private struct Message: Decodable {
        struct Profile: Decodable {
            let id: String
            let name: String?
            let username: String?
        }

        let data: Profile
    }

    /// The person of a token.
    ///
    /// - Throws: ``ProviderError``, with the code `token` when the token is not good.
    func person(of token: AccessToken) async throws(ProviderError) -> ConfirmedPerson {
        let now = clock.now()
        let answer = try await answer(to: token)
        switch answer.response.status.code {
        case 401, 403: throw ProviderError(.token, because: "status \(answer.response.status.code)")
        default: break
        }
        let profile = try answer.message("the profile", as: Message.self).data
        return try ConfirmedPerson(subject: profile.id, name: profile.name ?? profile.username, confirmed: now)
    }

    /// The provider's answer to a token.
    func answer(to token: AccessToken) async throws(ProviderError) -> HTTPAnswer {
        var request = try ProviderMetadata.endpoint("\(settings.base)/2/users/me", "the address").request(.get)
        request.headerFields[.authorization] = BearerHeader.value(for: token)
        return try await transport.ask(request, within: ProviderMetadata.limit)
    }
}
