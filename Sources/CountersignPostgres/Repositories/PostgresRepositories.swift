#if PostgreSQL
internal import CountersignServer

/// The repositories of one closure, all on the same connection and in the same transaction.
struct PostgresRepositories: Repositories {
    let connection: Connection

    var exchanges: any ExchangeRepository { PostgresExchangeRepository(connection: connection) }
    var clients: any ClientRepository { PostgresClientRepository(connection: connection) }
    var people: any PersonRepository { PostgresPersonRepository(connection: connection) }
    var browserSessions: any BrowserSessionRepository { PostgresBrowserSessionRepository(connection: connection) }
    var signIns: any SignInRecordRepository { PostgresSignInRecordRepository(connection: connection) }
    var accessTokens: any AccessTokenRepository { PostgresAccessTokenRepository(connection: connection) }
    var refreshTokens: any RefreshTokenRepository { PostgresRefreshTokenRepository(connection: connection) }
    var serverKeys: any ServerKeyRepository { PostgresServerKeyRepository(connection: connection) }
}
#endif
