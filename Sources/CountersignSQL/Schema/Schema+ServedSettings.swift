extension Schema {
    /// The settings of the server that last started.
    static let servedSettings: SQLText = """
        CREATE TABLE served_settings (
            name \(.text) NOT NULL PRIMARY KEY,
            value \(.text) NOT NULL
        ) \(.strictByKey);
        """
}
