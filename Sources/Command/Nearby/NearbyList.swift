internal import CountersignNearby

/// The discovered phones, for a terminal: how many, and the first few with their numbers.
struct NearbyList: Sendable, Equatable {
    /// The maximum number of names on one line.
    static let mostNamed = 5

    /// All phones, in order of discovery; their numbers count from 1.
    let all: [NearbyApprover]
    /// The text that the person typed in place of a number: only names that contain it are shown.
    var filter: String?

    /// The approver that an answer means: by its number, or by a part of a name that only one has.
    func meant(by answer: String) -> NearbyApprover? {
        if let number = Int(answer) { return number > 0 ? all.dropFirst(number - 1).first : nil }
        let matching = Self.matching(answer, in: all)
        return matching.count == 1 ? matching.first?.element : nil
    }

    /// The list in one line; `nil` when it is empty.
    ///
    /// - Parameter asks: Whether the person is asked to choose.
    func words(asking asks: Bool) -> String? {
        guard !all.isEmpty else { return nil }
        let matching = Self.matching(filter ?? "", in: all)
        let named = matching.prefix(Self.mostNamed).map { place, approver in
            asks ? "\(place + 1) \(approver.shown)" : approver.shown
        }.joined(separator: ", ")
        let end = matching.count > Self.mostNamed ? ", …" : "."
        guard all.count > Self.mostNamed else {
            return asks ? "Type the number of the one to ask: \(named)\(end)" : "Nearby: \(named)\(end)"
        }
        let ask = asks ? " Type a number, or a part of the name" : " Nearby"
        return "\(all.count) phones are nearby.\(ask): \(named)\(end)"
    }

    private static func matching(_ text: String, in all: [NearbyApprover]) -> [(offset: Int, element: NearbyApprover)] {
        let text = text.lowercased()
        let matching = all.enumerated().filter { text.isEmpty || $0.element.shown.lowercased().contains(text) }
        // A part of a name that none has narrows nothing.
        return matching.isEmpty ? Array(all.enumerated()) : matching
    }
}
