internal import Countersign
internal import CountersignWire
internal import Foundation

/// A token of another provider that was verified; made by ``SubjectTokenVerifier`` alone.
struct VerifiedSubjectToken: Sendable {
    let identity: ProvenIdentity
    let provider: IdentityProvider
    /// The use of it, which counts once.
    let use: SubjectTokenUse

    fileprivate init(_ identity: ProvenIdentity, of provider: IdentityProvider, use: SubjectTokenUse) {
        self.identity = identity
        self.provider = provider
        self.use = use
    }
}

/// Lets a foreign token be exchanged once, on all nodes together.
struct SubjectTokenUse: Sendable {
    fileprivate let token: SecretDigest

    /// How long a use is remembered, in seconds: longer than ``SubjectTokenVerifier/longestAge`` and what clocks may
    /// differ, so that a token is too old before its use is forgotten.
    static let memory: TimeInterval = SubjectTokenVerifier.longestAge + 4 * ReadIDToken.leeway

    /// Notes the use in the change that depends on it.
    ///
    /// - Throws: ``SubjectTokenRefused`` when the token was exchanged before.
    func note(in repositories: any Repositories, at now: Date) throws {
        let key = RateCounterKey(.exchangePerToken, of: URLSafeText.encode(token.bytes))
        let count = try repositories.counts.add(1, to: key, lasting: Self.memory, at: now)
        guard count.times == 1 else { throw SubjectTokenRefused(because: "it was exchanged before") }
    }
}

/// Verifies the tokens of other providers that clients exchange.
struct SubjectTokenVerifier: Sendable {
    let store: any Store
    let providers: ProviderConversation

    /// How old an ID token may be, in seconds. The app got it a moment ago.
    static let longestAge: TimeInterval = 600

    /// Verifies the token of a request.
    ///
    /// - Throws: ``SubjectTokenRefused``; ``OAuthError`` `invalid_request` for a kind of token that is not exchanged,
    ///   `temporarily_unavailable` when the provider has to be asked and cannot; ``StoreUnavailable``.
    func verify(_ asked: TokenExchangeRequest) async throws -> VerifiedSubjectToken {
        guard asked.subjectTokenType == .idToken else {
            throw OAuthError(
                .invalidRequest,
                "tokens of this subject_token_type are not exchanged",
                because: "another subject_token_type"
            )
        }
        return try await verify(idToken: UnverifiedIDToken(revealing: asked.subjectToken.revealed))
    }

    private func verify(idToken token: UnverifiedIDToken) async throws -> VerifiedSubjectToken {
        let read: ReadIDToken
        do throws(IDTokenRefusal) {
            read = try ReadIDToken(token)
        } catch {
            throw SubjectTokenRefused(because: error.reason)
        }
        // What the token says chooses the provider by whose keys it is verified, and no more.
        let provider = try await store.read { try $0.identityProviders.all() }.first { provider in
            provider.issuer.rawValue == read.unverifiedIssuer
                && provider.exchangeAudiences.contains { read.unverifiedAudience.names.contains($0.rawValue) }
        }
        guard let provider else { throw SubjectTokenRefused(because: "no provider exchanges it for this audience") }
        var demands = ReadIDToken.Demands(issuer: provider.issuer.rawValue, clients: provider.exchangeAudiences)
        demands.longestAge = Self.longestAge
        do throws(ProviderTrouble) {
            let identity = try await providers.identity(in: token, of: provider, meeting: demands, how: .idToken)
            return VerifiedSubjectToken(identity, of: provider, use: SubjectTokenUse(token: read.statementDigest))
        } catch {
            throw Self.refusal(error, at: provider)
        }
    }

    /// A token that is not good is the client's fault; a provider that cannot be asked is not.
    private static func refusal(_ trouble: ProviderTrouble, at provider: IdentityProvider) -> any Error {
        switch trouble.code {
        case .token, .refused: SubjectTokenRefused(because: trouble.reason)
        case .unreachable, .notTrusted, .badAnswer, .anotherIssuer, .notOffered:
            OAuthError(
                .temporarilyUnavailable,
                "the provider of the token cannot be asked now",
                because: "\(provider.id): \(trouble.reason)"
            )
        }
    }
}
