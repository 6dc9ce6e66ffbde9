internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `environments`.
struct SQLEnvironmentRepository: EnvironmentRepository {
    private static let columns: SQLColumns = [
        "id", "name", "icon_url", "sealed_secret", "replaced_secret", "replaced_secret_ends", "webhook",
        "legacy_devices", "text_prefixes", "texts_per_day", "created",
    ]
    private static let inserting = SQLStatement.insert(into: "environments", columns)
    private static let byID: SQLStatement = "SELECT \(columns.names) FROM environments WHERE id = ?"
    private static let all: SQLStatement = "SELECT \(columns.names) FROM environments ORDER BY created, id"
    private static let updating: SQLStatement = """
        UPDATE environments SET name = ?, icon_url = ?, sealed_secret = ?, replaced_secret = ?,
        replaced_secret_ends = ?, webhook = ?, legacy_devices = ?, text_prefixes = ?, texts_per_day = ? WHERE id = ?
        """
    private static let removing: SQLStatement = "DELETE FROM environments WHERE id = ?"

    let connection: any SQLConnection

    func insert(_ environment: AuthenticatorEnvironment) throws {
        try connection.insert(
            Self.inserting, [environment.id.column] + values(of: environment) + [environment.created.column])
    }

    func find(_ id: EnvironmentID) throws -> AuthenticatorEnvironment? {
        try connection.first(Self.byID, [id.column], environment)
    }

    func all() throws -> [AuthenticatorEnvironment] {
        try connection.all(Self.all, [], environment)
    }

    func update(_ environment: AuthenticatorEnvironment) throws {
        try connection.write(Self.updating, values(of: environment) + [environment.id.column])
    }

    func remove(_ id: EnvironmentID) throws -> Bool {
        try connection.change(Self.removing, [id.column]) > 0
    }

    /// The columns that an update replaces, in their order.
    private func values(of environment: AuthenticatorEnvironment) throws -> [SQLValue?] {
        [
            environment.name.column, environment.iconURL?.column, environment.secret.bytes.column,
            environment.replaced?.sealed.bytes.column, environment.replaced?.ends.column,
            environment.webhook?.column, environment.allowsLegacyDevices.column,
            try .document(environment.texts.prefixes), environment.texts.perDay?.column,
        ]
    }

    private func environment(in row: SQLRow) throws -> AuthenticatorEnvironment {
        var replaced: AuthenticatorEnvironment.ReplacedSecret?
        if let bytes = row.optionalBytes(4), let ends = row.optionalInstant(5) {
            replaced = AuthenticatorEnvironment.ReplacedSecret(
                sealed: AuthenticatorEnvironment.SealedSecret(restoring: bytes), ends: ends)
        }
        return AuthenticatorEnvironment(
            id: try row.identifier(0),
            name: try row.text(1),
            iconURL: row.optionalText(2),
            secret: AuthenticatorEnvironment.SealedSecret(restoring: try row.bytes(3)),
            replaced: replaced,
            webhook: row.optionalText(6),
            allowsLegacyDevices: try row.bool(7),
            texts: AuthenticatorEnvironment.TextAllowance(
                prefixes: try row.document(8), perDay: row.optionalInteger(9)),
            created: try row.instant(10)
        )
    }
}

/// The table `authenticator_apps`.
struct SQLAuthenticatorAppRepository: AuthenticatorAppRepository {
    private static let columns: SQLColumns = ["app_key", "name", "bundle_id", "push_project", "created"]
    private static let inserting = SQLStatement.insert(into: "authenticator_apps", columns)
    private static let byKey: SQLStatement = "SELECT \(columns.names) FROM authenticator_apps WHERE app_key = ?"
    private static let all: SQLStatement = "SELECT \(columns.names) FROM authenticator_apps ORDER BY created, app_key"
    private static let removing: SQLStatement = "DELETE FROM authenticator_apps WHERE app_key = ?"

    let connection: any SQLConnection

    func insert(_ app: AuthenticatorApp) throws {
        try connection.insert(
            Self.inserting,
            [app.key.column, app.name.column, app.bundleID?.column, app.project?.column, app.created.column]
        )
    }

    func find(_ key: AppKey) throws -> AuthenticatorApp? {
        try connection.first(Self.byKey, [key.column], app)
    }

    func all() throws -> [AuthenticatorApp] {
        try connection.all(Self.all, [], app)
    }

    func remove(_ key: AppKey) throws -> Bool {
        try connection.change(Self.removing, [key.column]) > 0
    }

    private func app(in row: SQLRow) throws -> AuthenticatorApp {
        AuthenticatorApp(
            key: try row.identifier(0),
            name: try row.text(1),
            bundleID: row.optionalText(2),
            project: row.optionalText(3),
            created: try row.instant(4)
        )
    }
}
