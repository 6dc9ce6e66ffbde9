internal import Countersign
internal import CountersignStorage
internal import CountersignWire

/// The table `environments`.
struct SQLCustomerSiteRepository: CustomerSiteRepository, SQLTable {
    static let table: SQLText = "environments"
    static let columns: SQLColumns = [
        "id", "name", "icon_url", "sealed_secret", "replaced_secret", "replaced_secret_ends", "webhook",
        "legacy_devices", "text_prefixes", "texts_per_day", "created",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    private static let everything = selection(orderedBy: "created, id")
    private static let after = selection("id > ? ORDER BY id LIMIT ?")

    let connection: any SQLConnection

    static func values(of environment: CustomerSite) throws -> [SQLValue?] {
        [
            environment.id.column, environment.name.column, environment.iconURL?.column,
            environment.secret.bytes.column, environment.replaced?.sealed.bytes.column,
            environment.replaced?.ends.column, environment.webhook?.column, environment.allowsLegacyDevices.column,
            try .document(environment.texts.prefixes), environment.texts.perDay?.column, environment.created.column,
        ]
    }

    static func record(in row: SQLRow) throws -> CustomerSite {
        var replaced: CustomerSite.ReplacedSecret?
        if let bytes = row.optionalBytes(4), !row.isNull(5) {
            replaced = CustomerSite.ReplacedSecret(
                sealed: CustomerSite.SealedSecret(restoring: bytes), ends: try row[5])
        }
        return try CustomerSite(
            id: row[0], name: row[1], iconURL: row[2],
            secret: CustomerSite.SealedSecret(restoring: row[3]), replaced: replaced, webhook: row[6],
            allowsLegacyDevices: row[7],
            texts: CustomerSite.TextAllowance(prefixes: row.document(8), perDay: row[9]), created: row[10])
    }

    func find(_ id: CustomerSiteID) throws -> CustomerSite? { try first(Self.usual.find, id.column) }
    func all() throws -> [CustomerSite] { try all(Self.everything) }

    func page(after last: CustomerSiteID?, limit: Int) throws -> [CustomerSite] {
        try all(Self.after, (last?.rawValue ?? "").column, limit.column)
    }

    func update(_ environment: CustomerSite) throws {
        try write(environment, by: Self.usual.update, key: environment.id.column)
    }

    func remove(_ id: CustomerSiteID) throws -> Bool { try runs(Self.usual.remove, id.column) }
}

/// The table `authenticator_apps`.
struct SQLAuthenticatorAppRepository: AuthenticatorAppRepository, SQLTable {
    static let table: SQLText = "authenticator_apps"
    static let columns: SQLColumns = ["app_key", "name", "bundle_id", "push_project", "created"]
    static let usual = SQLStatements(of: Self.self, key: ["app_key"])
    private static let everything = selection(orderedBy: "created, app_key")
    private static let after = selection("app_key > ? ORDER BY app_key LIMIT ?")

    let connection: any SQLConnection

    static func values(of app: AuthenticatorApp) -> [SQLValue?] {
        [app.key.column, app.name.column, app.bundleID?.column, app.project?.column, app.created.column]
    }

    static func record(in row: SQLRow) throws -> AuthenticatorApp {
        try AuthenticatorApp(key: row[0], name: row[1], bundleID: row[2], project: row[3], created: row[4])
    }

    func find(_ key: AppKey) throws -> AuthenticatorApp? { try first(Self.usual.find, key.column) }
    func all() throws -> [AuthenticatorApp] { try all(Self.everything) }

    func page(after last: AppKey?, limit: Int) throws -> [AuthenticatorApp] {
        try all(Self.after, (last?.rawValue ?? "").column, limit.column)
    }

    func remove(_ key: AppKey) throws -> Bool { try runs(Self.usual.remove, key.column) }
}
