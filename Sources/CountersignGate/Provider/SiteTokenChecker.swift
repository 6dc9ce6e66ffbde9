internal import Countersign
internal import CountersignResource
internal import FoundationEssentialsCompat

/// Checks the tokens of API clients of one site at the server.
struct SiteTokenChecker: TokenChecker {
    let provider: GateProvider
    let audience: String
    let limits: TokenCacheLimits

    func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        let checker: IntrospectionChecker
        do throws(GateProviderError) {
            checker = try await provider.checker(for: audience, caching: limits)
        } catch {
            throw TokenCheckError(.unreachable, because: error.reason)
        }
        return try await checker.check(token, at: now)
    }
}
