/// Finds the known word that a mistyped one most likely stands for.
struct Suggestion: Sendable {
    /// The words that exist.
    let known: [String]

    init(from known: some Sequence<String>) {
        self.known = Array(known)
    }

    /// The most similar known word; `nil` when none is similar enough for a typing error.
    ///
    /// A third of the letters may be wrong: one in a short word, and three at most.
    func nearest(to word: String) -> String? {
        let ranked = known.map { (word: $0, distance: Self.distance($0, word)) }
        let best = ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        return best.flatMap { $0.distance <= min(3, max(1, word.count / 3)) ? $0.word : nil }
    }

    /// The question for the person who typed a word; `nil` when no known word is similar.
    ///
    /// - Parameter prefix: The beginning of all of the words, which is no sign of likeness; empty by default.
    func question(for word: String, behind prefix: String = "") -> String? {
        Suggestion(from: known.map { String($0.dropFirst(prefix.count)) })
            .nearest(to: String(word.dropFirst(prefix.count)))
            .map { "Did you mean \(prefix)\($0)?" }
    }

    /// The known words as a choice in a sentence, as in `a, b or c`.
    var choice: String { "\(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")" }

    /// The refusal of a word in a sentence, with the question for the person who typed it.
    func refusal(_ sentence: String, of word: String) -> CommandError {
        CommandError.usage(question(for: word).map { "\(sentence) \($0)" } ?? sentence)
    }

    /// The words that do not exist, each with its question, for a list in a sentence.
    func list(_ words: [String]) -> String {
        words.map { word in nearest(to: word).map { "\(word) (did you mean \($0)?)" } ?? word }.joined(separator: ", ")
    }

    /// The message of the parser, without an option that it suggests for one that is not like it.
    static func likely(in message: String) -> String {
        guard let match = message.firstMatch(of: /Unknown option '([^']+)'(\. Did you mean '([^']+)'\?)/),
            Suggestion(from: [String(match.3)]).nearest(to: String(match.1)) == nil
        else { return message }
        return "\(message[..<match.2.startIndex]).\(message[match.2.endIndex...])"
    }

    /// The number of letters to add, remove, replace or exchange with their neighbour to make one text of the other:
    /// the optimal string alignment distance.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (line, letter) in left.enumerated() {
            var row = [line + 1]
            for (column, other) in right.enumerated() {
                var least = min(
                    rows[line][column] + (letter == other ? 0 : 1), rows[line][column + 1] + 1, row[column] + 1)
                if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
                    least = min(least, rows[line - 1][column - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
