internal import CountersignServer
internal import GRDB

/// The repositories of one closure, all on the same connection and in the same transaction.
struct SQLiteRepositories: Repositories {
    let database: Database
    /// Takes down what a change changes; nothing where a closure only reads.
    var news: NewsSheet?
    /// What the transaction has counted; nothing where a closure only reads.
    var batchCounts: BatchCounts?

    var exchanges: any ExchangeRepository { SQLiteExchangeRepository(database: database, news: news) }
    var clients: any ClientRepository { SQLiteClientRepository(database: database, news: news) }
    var people: any PersonRepository { SQLitePersonRepository(database: database, news: news) }
    var domains: any DomainRepository { SQLiteDomainRepository(database: database, news: news) }
    var browserSessions: any BrowserSessionRepository { SQLiteBrowserSessionRepository(database: database) }
    var signIns: any SignInRecordRepository { SQLiteSignInRecordRepository(database: database) }
    var accessTokens: any AccessTokenRepository { SQLiteAccessTokenRepository(database: database, news: news) }
    var refreshTokens: any RefreshTokenRepository { SQLiteRefreshTokenRepository(database: database) }
    var serverKeys: any ServerKeyRepository { SQLiteServerKeyRepository(database: database, news: news) }
    var counts: any CountRepository { SQLiteCountRepository(database: database, batch: batchCounts) }
    var nearbyLooks: any NearbyLookRepository { SQLiteNearbyLookRepository(database: database) }
    var nearbyDecisions: any NearbyDecisionRepository { SQLiteNearbyDecisionRepository(database: database) }
    var audit: any AuditRepository { SQLiteAuditRepository(database: database) }
}
