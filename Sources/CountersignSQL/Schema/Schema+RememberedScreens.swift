extension Schema {
    /// The screens on which people are remembered, and what an approver chose for a sign-in. The sign-ins of an older
    /// server end with their tokens alone, and are remembered on no screen.
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
        ALTER TABLE exchanges ADD COLUMN grant_ends \(.real);
        ALTER TABLE exchanges ADD COLUMN grant_screen \(.text);
        ALTER TABLE sign_ins ADD COLUMN grant_ends \(.real);
        ALTER TABLE sign_ins ADD COLUMN grant_screen \(.text);
        """
}
