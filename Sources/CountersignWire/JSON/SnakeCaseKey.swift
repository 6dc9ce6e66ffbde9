/// The name of a member that is its property's name in snake case: `tokenEndpoint` stands for `token_endpoint`.
///
/// A raw value in small letters is the name itself.
protocol SnakeCaseKey: CodingKey, CaseIterable, RawRepresentable<String> {}

extension SnakeCaseKey {
    /// The wire name.
    var stringValue: String {
        let name = Array(rawValue.utf8)
        let isCapital = { (place: Int) in name.indices.contains(place) && (0x41...0x5A).contains(name[place]) }
        var words: [UInt8] = []
        for place in name.indices {
            // A word begins at a capital letter, but within an acronym only at its last one: `URIParameter`.
            let isLast = place + 1 < name.count && !isCapital(place + 1)
            if isCapital(place), place > 0, isLast || !isCapital(place - 1) { words.append(UInt8(ascii: "_")) }
            words.append(isCapital(place) ? name[place] | 0x20 : name[place])
        }
        return String(decoding: words, as: UTF8.self)
    }

    init?(stringValue: String) {
        guard let key = Self.allCases.first(where: { $0.stringValue == stringValue }) else { return nil }
        self = key
    }
}
