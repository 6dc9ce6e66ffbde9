internal import Countersign
internal import CountersignWire

/// The claim about an approval in a column, as short text: `nearby link same nvk`, where the letters stand for a matched
/// number, a verified person and the key of a device. Every access token has it.
extension EvidenceClaim: SQLColumnValue {
    var column: SQLValue {
        let marks = "\(isNumberMatched ? "n" : "")\(isUserVerified ? "v" : "")\(hasDeviceKey ? "k" : "")"
        return "\(way?.rawValue ?? "-") \(proximity.rawValue) \(network.rawValue) \(marks)".column
    }

    static func value(in row: any SQLRowReader, _ column: Int) throws -> EvidenceClaim? {
        guard let text = row.text(column) else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 4, let proximity = Proximity(rawValue: words[1]), let network = Network(rawValue: words[2])
        else { throw RowDecodingError(column: "evidence") }
        return EvidenceClaim(
            way: Way(rawValue: words[0]), proximity: proximity, isNumberMatched: words[3].contains("n"),
            isUserVerified: words[3].contains("v"), hasDeviceKey: words[3].contains("k"), network: network)
    }
}
