internal import Countersign
internal import Foundation
internal import NIOConcurrencyHelpers

/// The repositories of a look-up that runs on what is remembered. Where that is not enough they throw.
struct RememberedRepositories: Repositories {
    let recall: Recall

    var exchanges: any ExchangeRepository { RememberedExchanges(recall: recall) }
    var clients: any ClientRepository { RememberedClients(recall: recall) }
    var people: any PersonRepository { RememberedPeople(recall: recall) }
    var domains: any DomainRepository { RememberedDomains(recall: recall) }
    var accessTokens: any AccessTokenRepository { RememberedAccessTokens(recall: recall) }
    var browserSessions: any BrowserSessionRepository { UnrememberedBrowserSessions(recall: recall) }
    var signIns: any SignInRecordRepository { UnrememberedSignIns(recall: recall) }
    var refreshTokens: any RefreshTokenRepository { UnrememberedRefreshTokens(recall: recall) }
    var serverKeys: any ServerKeyRepository { UnrememberedServerKeys(recall: recall) }
    var counts: any CountRepository { UnrememberedCounts(recall: recall) }
    var nearbyLooks: any NearbyLookRepository { UnrememberedNearbyLooks(recall: recall) }
    var nearbyDecisions: any NearbyDecisionRepository { UnrememberedNearbyDecisions(recall: recall) }
    var audit: any AuditRepository { UnrememberedAudit(recall: recall) }
}

/// One look-up that runs on what is remembered.
final class Recall {
    let memory: NIOLockedValueBox<RowMemory>
    /// Whether something was not remembered.
    fileprivate(set) var missed = false

    init(from memory: NIOLockedValueBox<RowMemory>) {
        self.memory = memory
    }
}

/// The answer is not remembered; the store has to be asked.
struct NotRemembered: Error {}

/// A repository of which only some look-ups are remembered, or none.
protocol Forgetful {
    var recall: Recall { get }
}

extension Forgetful {
    /// Throws, and notes it too, in case whoever looks up holds every error for an answer.
    func pass<Value>() throws -> Value {
        recall.missed = true
        throw NotRemembered()
    }

    func pass() throws {
        recall.missed = true
        throw NotRemembered()
    }
}

private struct RememberedExchanges: ExchangeRepository, Forgetful {
    let recall: Recall

    func find(_ deviceCode: SecretDigest) throws -> StoredExchange? {
        try recall.memory.withLockedValue { $0.exchange(deviceCode) } ?? pass()
    }
}

private struct RememberedClients: ClientRepository, Forgetful {
    let recall: Recall

    func find(_ id: ClientID) throws -> Client? { try recall.memory.withLockedValue { $0.client(id) } ?? pass() }
}

private struct RememberedPeople: PersonRepository, Forgetful {
    let recall: Recall

    func find(_ subject: Subject) throws -> Person? {
        try recall.memory.withLockedValue { $0.person(subject) } ?? pass()
    }
}

private struct RememberedDomains: DomainRepository, Forgetful {
    let recall: Recall

    func find(_ name: Domain) throws -> ServiceDomain? {
        try recall.memory.withLockedValue { $0.domain(name) } ?? pass()
    }

    func find(_ credential: SecretDigest) throws -> ServiceDomain? {
        try recall.memory.withLockedValue { $0.domain(credential) } ?? pass()
    }
}

private struct RememberedAccessTokens: AccessTokenRepository, Forgetful {
    let recall: Recall

    func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
        try recall.memory.withLockedValue { $0.accessToken(token) } ?? pass()
    }
}

private struct UnrememberedBrowserSessions: BrowserSessionRepository, Forgetful { let recall: Recall }
private struct UnrememberedSignIns: SignInRecordRepository, Forgetful { let recall: Recall }
private struct UnrememberedRefreshTokens: RefreshTokenRepository, Forgetful { let recall: Recall }
private struct UnrememberedServerKeys: ServerKeyRepository, Forgetful { let recall: Recall }
private struct UnrememberedCounts: CountRepository, Forgetful { let recall: Recall }
private struct UnrememberedNearbyLooks: NearbyLookRepository, Forgetful { let recall: Recall }
private struct UnrememberedNearbyDecisions: NearbyDecisionRepository, Forgetful { let recall: Recall }
private struct UnrememberedAudit: AuditRepository, Forgetful { let recall: Recall }
