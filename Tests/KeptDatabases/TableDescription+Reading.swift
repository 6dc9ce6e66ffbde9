internal import Foundation
internal import GRDB

#if PostgreSQL
internal import CountersignPostgres
#endif

extension TableDescription {
    /// Reads the tables of a database of SQLite.
    init(_ database: Database) throws {
        let tables = try Row.fetchAll(
            database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        let indexes = try String.fetchAll(
            database, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        self.init(
            columns: [], indexes: Set(indexes.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }))
        for table in tables {
            let (name, sql) = (table["name"] as String, table["sql"] as String)
            let columns = try Row.fetchAll(
                database, sql: #"SELECT name, type, "notnull", dflt_value FROM pragma_table_xinfo(?)"#,
                arguments: [name])
            for column in columns {
                let hasDefault = (column["dflt_value"] as String?) != nil
                self.columns.insert(
                    Column(name, column["name"], column["type"], isRequired: column["notnull"], hasDefault: hasDefault))
            }
            let indexes = try Row.fetchAll(
                database, sql: #"SELECT name, partial FROM pragma_index_list(?) WHERE "unique""#, arguments: [name])
            for index in indexes {
                let columns = try Optional<String>.fetchAll(
                    database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno",
                    arguments: [index["name"] as String])
                keys.insert(Key(name, columns, isPartial: index["partial"]))
            }
            for constraint in sql.matches(of: /\b(?:CHECK|REFERENCES)\b[^,\n]*/) {
                constraints.insert(Constraint(name, String(constraint.output)))
            }
        }
    }

    #if PostgreSQL
    /// Reads the tables of a schema in PostgreSQL.
    init(at url: String) throws {
        self.init(
            columns: try Self.rows(Self.columnRows, at: url),
            keys: try Self.rows(Self.keyRows, at: url),
            constraints: try Self.rows(Self.constraintRows, at: url),
            indexes: try Self.rows(Self.indexRows, at: url)
        )
    }

    private static func rows<Member: Hashable & Decodable>(_ sql: String, at url: String) throws -> Set<Member> {
        let rows = try PostgresStore.run("SELECT json_agg(members) FROM (\(sql)) rows (members)", at: url)
        return try JSONDecoder().decode(Set<Member>.self, from: Data((rows ?? "[]").utf8))
    }

    private static let columnRows = """
        SELECT json_build_object(
            'table', relname, 'name', attname, 'type', format_type(atttypid, atttypmod), 'isRequired', attnotnull,
            'hasDefault', atthasdef OR attidentity <> '')
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = (\(schema)) AND relkind = 'r'
            AND attnum > 0 AND NOT attisdropped
        """
    private static let keyRows = """
        SELECT json_build_object(
            'table', relname, 'isPartial', indpred IS NOT NULL,
            'columns', (
                SELECT json_agg(attname ORDER BY place)
                FROM unnest(indkey) WITH ORDINALITY parts (number, place)
                LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number
            ))
        FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
        WHERE indisunique AND relnamespace = (\(schema))
        """
    private static let constraintRows = """
        SELECT json_build_object('table', relname, 'definition', pg_get_constraintdef(pg_constraint.oid))
        FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
        WHERE contype IN ('c', 'f', 'x') AND relnamespace = (\(schema))
        """
    private static let indexRows = """
        SELECT replace(pg_get_indexdef(indexrelid), quote_ident(current_schema()) || '.', '')
        FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
        WHERE NOT indisunique AND relnamespace = (\(schema))
        """
    private static let schema = "SELECT oid FROM pg_namespace WHERE nspname = current_schema()"
    #endif
}
