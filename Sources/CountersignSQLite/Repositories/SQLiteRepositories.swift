internal import CountersignServer
internal import GRDB

/// The repositories of one closure, all on the same connection and in the same transaction.
struct SQLiteRepositories: Repositories {
    let database: Database

    var exchanges: any ExchangeRepository { SQLiteExchangeRepository(database: database) }
    var clients: any ClientRepository { SQLiteClientRepository(database: database) }
    var people: any PersonRepository { SQLitePersonRepository(database: database) }
    var browserSessions: any BrowserSessionRepository { SQLiteBrowserSessionRepository(database: database) }
    var signIns: any SignInRecordRepository { SQLiteSignInRecordRepository(database: database) }
    var accessTokens: any AccessTokenRepository { SQLiteAccessTokenRepository(database: database) }
    var refreshTokens: any RefreshTokenRepository { SQLiteRefreshTokenRepository(database: database) }
    var serverKeys: any ServerKeyRepository { SQLiteServerKeyRepository(database: database) }
}
