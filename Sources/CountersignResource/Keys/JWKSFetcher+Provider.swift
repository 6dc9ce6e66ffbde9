internal import CountersignWire
internal import HTTPTypes

extension JWKSFetcher<TokenCheckError> {
    /// Fetches the keys at an endpoint of a provider.
    init(_ provider: Provider) {
        let notYet = TokenCheckError(.unreachable, because: "the keys were not fetched yet")
        self.init(before: notYet) { () async throws(TokenCheckError) in
            let answer = try await provider.ask(.get)
            guard answer.response.status == .ok else { throw answer.unexpected("no keys") }
            let keys = try answer.message(JSONWebKeySet.self)
            guard keys.keys.count <= JWKSCache.mostKeys else { throw answer.unexpected("too many keys") }
            return keys
        }
    }
}
