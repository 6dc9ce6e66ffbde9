/// The tables of a database, as far as programs depend on them.
package struct TableDescription: Sendable, Equatable {
    package struct Column: Sendable, Hashable, Decodable {
        package let table: String
        package let name: String
        package let type: String
        /// Whether it must not be `NULL`.
        package let isRequired: Bool
        package let hasDefault: Bool

        package init(_ table: String, _ name: String, _ type: String, isRequired: Bool, hasDefault: Bool = false) {
            self.table = table
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.hasDefault = hasDefault
        }

        var path: String { "\(table).\(name)" }
    }

    /// Columns whose values together are different in each row.
    package struct Key: Sendable, Hashable, Decodable {
        package let table: String
        /// `nil` for an expression.
        package let columns: [String?]
        /// Whether some rows are left out.
        package let isPartial: Bool

        package init(_ table: String, _ columns: [String?], isPartial: Bool = false) {
            self.table = table
            self.columns = columns
            self.isPartial = isPartial
        }

        var words: String { "\(table) by \(columns.map { $0 ?? "an expression" }.joined(separator: ", "))" }
    }

    /// A check, or a reference to another table.
    package struct Constraint: Sendable, Hashable, Decodable {
        package let table: String
        package let definition: String

        package init(_ table: String, _ definition: String) {
            self.table = table
            self.definition = definition
        }
    }

    package var columns: Set<Column>
    package var keys: Set<Key>
    package var constraints: Set<Constraint>
    /// The definitions of the indexes that only make it faster.
    package var indexes: Set<String>

    package init(
        columns: Set<Column>, keys: Set<Key> = [], constraints: Set<Constraint> = [], indexes: Set<String> = []
    ) {
        self.columns = columns
        self.keys = keys
        self.constraints = constraints
        self.indexes = indexes
    }

    private var names: Set<String> { Set(columns.map(\.table)) }
    private var byPath: [String: Column] { Dictionary(uniqueKeysWithValues: columns.map { ($0.path, $0) }) }

    /// Lists the reasons why a program that was written for these tables could fail at later ones.
    ///
    /// - Parameters:
    ///   - later: The tables after a migration.
    ///   - removed: The tables, and columns as `table.column`, that the program does not use.
    package func objections(to later: TableDescription, removing removed: Set<String> = []) -> [String] {
        let removals =
            names.subtracting(later.names).subtracting(removed).map { "the table \($0) is gone" }
            + columns.filter { later.names.contains($0.table) && later.byPath[$0.path] == nil }
            .filter { !removed.contains($0.path) }.map { "the column \($0.path) is gone" }
        return (removals + narrowings(in: later) + keyChanges(in: later, removed)).sorted()
    }

    private func narrowings(in later: TableDescription) -> [String] {
        let (before, after) = (byPath, later.byPath)
        let changes = before.compactMap { path, column -> String? in
            guard let changed = after[path] else { return nil }
            if changed.type != column.type { return "\(path) has another type" }
            if changed.isRequired, !column.isRequired { return "\(path) must not be NULL any more" }
            if changed.isRequired, column.hasDefault, !changed.hasDefault { return "\(path) has no default any more" }
            return nil
        }
        let additions = later.columns.filter {
            names.contains($0.table) && before[$0.path] == nil && $0.isRequired && !$0.hasDefault
        }
        let constraints = later.constraints.subtracting(constraints).filter { names.contains($0.table) }
        return changes + additions.map { "\($0.path) is new and has no default" }
            + constraints.map { "\($0.table) has a new constraint: \($0.definition)" }
    }

    private func keyChanges(in later: TableDescription, _ removed: Set<String>) -> [String] {
        let gone = keys.subtracting(later.keys).filter { key in
            later.names.contains(key.table)
                && !key.columns.contains { $0.map { removed.contains("\(key.table).\($0)") } ?? false }
        }
        // A row of the program has no value in a new column without a default, and so is like no other.
        let added = later.keys.subtracting(keys).filter { key in
            names.contains(key.table)
                && !key.columns.contains { name in
                    let path = "\(key.table).\(name ?? "")"
                    return byPath[path] == nil && later.byPath[path].map { !$0.isRequired && !$0.hasDefault } ?? false
                }
        }
        return gone.map { "\($0.words) is no longer unique" } + added.map { "\($0.words) has to be unique" }
    }
}
