#if PostgreSQL
/// The secret of a client that was replaced, and until when it is accepted.
enum ReplacedSecrets {
    static let sql = """
        ALTER TABLE clients ADD COLUMN old_secret BYTEA;
        ALTER TABLE clients ADD COLUMN old_secret_ends DOUBLE PRECISION;
        """
}
#endif
