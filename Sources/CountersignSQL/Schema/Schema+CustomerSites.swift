extension Schema {
    /// The sites of customers, and the apps that the authenticator is built into.
    static let environments: SQLText = """
        CREATE TABLE environments (
            id \(.text) NOT NULL PRIMARY KEY,
            name \(.text) NOT NULL,
            icon_url \(.text),
            sealed_secret \(.bytes) NOT NULL,
            replaced_secret \(.bytes),
            replaced_secret_ends \(.real),
            webhook \(.text),
            legacy_devices \(.integer) NOT NULL,
            text_prefixes \(.text) NOT NULL,
            texts_per_day \(.integer),
            created \(.real) NOT NULL
        ) \(.strict);

        CREATE TABLE authenticator_apps (
            app_key \(.text) NOT NULL PRIMARY KEY,
            name \(.text) NOT NULL,
            bundle_id \(.text),
            push_project \(.text),
            created \(.real) NOT NULL
        ) \(.strict);
        """
}
