/// The settings that name the server and its database.
enum StoreSettings: SettingSection {
    static let settings = [
        Setting(
            "issuer", takes: "url",
            """
            The base URL of the server, which is also its name in tokens. (default: http:// and what it listens on; with a \
            certificate https:// and its first host name)
            """),
        Setting(
            "data", takes: "directory",
            "The directory of the embedded database. (default: $XDG_DATA_HOME/countersign, or ~/.local/share/countersign)"
        ),
        Setting("database", takes: "url", "A shared database in place of the embedded one: postgres://user@host/name."),
    ]
}
