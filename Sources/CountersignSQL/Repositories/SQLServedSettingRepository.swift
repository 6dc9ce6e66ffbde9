internal import CountersignStorage

/// The table `served_settings`.
struct SQLServedSettingRepository: ServedSettingRepository, SQLTable {
    static let table: SQLText = "served_settings"
    static let columns: SQLColumns = ["name", "value"]
    static let usual = SQLStatements(of: Self.self, key: ["name"])
    private static let everything = selection(orderedBy: "name")

    let connection: any SQLConnection

    static func values(of setting: ServedSetting) -> [SQLValue?] { [setting.key.column, setting.value.column] }

    static func record(in row: SQLRow) throws -> ServedSetting { try ServedSetting(key: row[0], value: row[1]) }

    func all() throws -> [ServedSetting] { try all(Self.everything) }
}
