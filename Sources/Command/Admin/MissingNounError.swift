internal import CountersignServer

/// An operator named a record that does not exist.
struct MissingNounError: Error {
    /// The noun, as in "There is no client tv."
    let word: String
    /// The name that was typed.
    let name: String
    /// Reads the names that exist.
    let names: @Sendable (any Store) async throws -> [String]

    /// The failure that it ends the command with.
    ///
    /// - Parameter known: The names that exist.
    func failure(knowing known: [String]) -> CommandError {
        let question = Suggestion(from: known).question(for: name).map { " \($0.shown)" } ?? ""
        return CommandError("There is no \(word) \(name).\(question)")
    }
}

extension MissingNounError {
    /// - Parameters:
    ///   - noun: The kind of record; the first column of its list has the name.
    ///   - name: The name that was typed.
    init<Noun: IdentifiableNoun>(_ noun: Noun.Type, named name: String) {
        self.init(word: Noun.word, name: name) { store in
            try await Noun.all(in: store).compactMap { Noun.columns.first?.value($0) }
        }
    }
}
