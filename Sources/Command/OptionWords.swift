internal import ArgumentParser

extension ParsableArguments {
    /// The value of an option that takes one of a few words; `nil` when it was not given.
    ///
    /// - Throws: a ``CommandError`` that lists the words.
    func choice<Value>(
        _ given: String?,
        for option: String,
        of words: [(String, Value)]
    ) throws -> Value? {
        guard let given else { return nil }
        if let match = words.first(where: { $0.0 == given }) { return match.1 }
        let known = Suggestion(from: words.map(\.0))
        throw known.refusal("\(option) is \(known.choice).", of: given)
    }

    /// The number of an option; `nil` when it was not given.
    ///
    /// - Throws: a ``CommandError`` when it is out of bounds.
    func number(_ given: Int?, for option: String, in range: ClosedRange<Int>, _ unit: String = "") throws -> Int? {
        guard let given else { return nil }
        guard range.contains(given) else {
            throw CommandError.usage("\(option) goes from \(range.lowerBound) to \(range.upperBound)\(unit).")
        }
        return given
    }
}
