#if PostgreSQL
internal import CountersignServer

/// The repositories of one closure, all on the same connection and in the same transaction.
struct PostgresRepositories: Repositories {
    let connection: Connection
    /// Takes down what a change changes; nothing where a closure only reads.
    var news: NewsSheet?
    /// What the transaction has counted; nothing where a closure only reads.
    var batchCounts: BatchCounts?

    var exchanges: any ExchangeRepository { PostgresExchangeRepository(connection: connection, news: news) }
    var clients: any ClientRepository { PostgresClientRepository(connection: connection, news: news) }
    var people: any PersonRepository { PostgresPersonRepository(connection: connection, news: news) }
    var domains: any DomainRepository { PostgresDomainRepository(connection: connection, news: news) }
    var browserSessions: any BrowserSessionRepository { PostgresBrowserSessionRepository(connection: connection) }
    var signIns: any SignInRecordRepository { PostgresSignInRecordRepository(connection: connection) }
    var accessTokens: any AccessTokenRepository { PostgresAccessTokenRepository(connection: connection, news: news) }
    var refreshTokens: any RefreshTokenRepository { PostgresRefreshTokenRepository(connection: connection) }
    var serverKeys: any ServerKeyRepository { PostgresServerKeyRepository(connection: connection, news: news) }
    var counts: any CountRepository { PostgresCountRepository(connection: connection, batch: batchCounts) }
    var nearbyLooks: any NearbyLookRepository { PostgresNearbyLookRepository(connection: connection) }
    var nearbyDecisions: any NearbyDecisionRepository { PostgresNearbyDecisionRepository(connection: connection) }
    var audit: any AuditRepository { PostgresAuditRepository(connection: connection) }
}
#endif
