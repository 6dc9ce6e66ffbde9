internal import Countersign

extension Scope {
    /// The scope that a person types, words with spaces between.
    ///
    /// - Throws: a ``CommandError`` of usage for a character that no scope may have.
    static func typed(_ text: String) throws(CommandError) -> Scope {
        try Scope(parsing: text).or(usage: "The scope has a character that no scope may have.")
    }
}
