extension Schema {
    /// The groups of people, their members, and the claims that operators declared.
    static let groups: SQLText = """
        CREATE TABLE people_groups (
            name \(.text) NOT NULL PRIMARY KEY,
            note \(.text),
            member_of \(.text) NOT NULL,
            created \(.real) NOT NULL
        ) \(.strictByKey);

        CREATE TABLE group_members (
            subject \(.text) NOT NULL,
            name \(.text) NOT NULL,
            PRIMARY KEY (subject, name)
        ) \(.strictByKey);
        CREATE INDEX group_members_by_group ON group_members (name, subject);

        CREATE TABLE claim_mappings (
            claim \(.text) NOT NULL PRIMARY KEY,
            attribute \(.text),
            group_values \(.text),
            form \(.text) NOT NULL,
            scope \(.text) NOT NULL,
            created \(.real) NOT NULL
        ) \(.strictByKey);
        """
}
