extension ScopeDemands: CustomStringConvertible {
    /// The longest time within which a sign-in can be demanded, in seconds: a day.
    public static let longestRecent = 86_400

    private static let recentName = "recent:"

    /// Reads demands as an operator writes them, as in `nearby,number,recent:300`: names of ``Demand``, and the maximum
    /// age of the person's sign-in in seconds.
    ///
    /// - Parameter text: The names, with commas between; `nil` is returned for a text with an unknown one, with an age
    ///   outside of 1 to ``longestRecent``, or with two ages. An empty text demands nothing.
    public init?(parsing text: String) {
        var demands: Set<Demand> = []
        var recent: Int?
        for name in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
            if let demand = Demand(rawValue: String(name)) {
                demands.insert(demand)
                continue
            }
            guard recent == nil, name.hasPrefix(Self.recentName),
                let seconds = Int(name.dropFirst(Self.recentName.count)), (1...Self.longestRecent).contains(seconds)
            else { return nil }
            recent = seconds
        }
        self.init(demands, within: recent)
    }

    /// The demands of scope values or of a client, in the form of ``init(parsing:)``; classes of authentication are no
    /// part of it.
    public var description: String {
        (all.map(\.rawValue) + (recent.map { ["\(Self.recentName)\($0)"] } ?? [])).joined(separator: ",")
    }
}
