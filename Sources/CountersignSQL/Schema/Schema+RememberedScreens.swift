extension Schema {
    /// The screens on which people are remembered.
    static let rememberedScreens: SQLText = """
        CREATE TABLE remembered_screens (
            id \(.text) NOT NULL UNIQUE,
            subject \(.text) NOT NULL,
            client \(.text) NOT NULL,
            name \(.text),
            since \(.real) NOT NULL,
            last_used \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX remembered_screens_by_subject ON remembered_screens (subject, last_used, id);
        CREATE INDEX remembered_screens_by_subject_and_client ON remembered_screens (subject, client, last_used, id);
        CREATE INDEX remembered_screens_by_client ON remembered_screens (client);
        CREATE INDEX remembered_screens_by_use ON remembered_screens (last_used);
        """
}
