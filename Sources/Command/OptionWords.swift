internal import ArgumentParser

extension ParsableArguments {
    /// The value of an option that takes one of a few words; `nil` when it was not given.
    ///
    /// - Throws: a ``CommandError`` that lists the words.
    func choice<Value>(
        _ given: String?,
        for option: String,
        of words: [(String, Value)],
        ignoringCase: Bool = false
    ) throws -> Value? {
        guard let given else { return nil }
        let plain = { (word: String) in ignoringCase ? word.lowercased() : word }
        if let match = words.first(where: { plain($0.0) == plain(given) }) { return match.1 }
        let (most, last) = (words.dropLast().map(\.0).joined(separator: ", "), words.last?.0 ?? "")
        throw CommandError.usage("\(option) is \(most) or \(last).")
    }

    /// Sets `value` to an option's argument, if given.
    ///
    /// - Throws: a ``CommandError`` that lists the words.
    func apply<Value: CaseIterable & RawRepresentable<String>>(
        _ given: String?,
        for option: String,
        to value: inout Value,
        ignoringCase: Bool = false
    ) throws {
        let words = Value.allCases.map { ($0.rawValue, $0) }
        value = try choice(given, for: option, of: words, ignoringCase: ignoringCase) ?? value
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
