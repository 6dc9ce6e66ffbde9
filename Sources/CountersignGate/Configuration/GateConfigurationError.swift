internal import Countersign
internal import FoundationEssentialsCompat

/// An error in the configuration of a gate, with its place, such as `sites[1].rules[0].path`.
package struct GateConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The place in the file; empty for the file as a whole.
    package let place: String
    /// The error, and what to write.
    package let sentence: String

    init(at place: String, _ sentence: String) {
        self.place = place
        self.sentence = sentence
    }

    /// Describes a member that is there twice.
    init(repeating name: String) {
        self.init(at: "", "The member \(name.shownInOneLine) is there twice in one object, and one would be lost.")
    }

    /// Describes the first thing that a decoder could not read.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(at: Self.place(context.codingPath + [key]), "It is missing.")
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            self.init(at: Self.place(context.codingPath), "It takes \(Self.name(of: type)).")
        case .dataCorrupted(let context):
            let isSyntax = context.codingPath.isEmpty
            self.init(
                at: Self.place(context.codingPath), isSyntax ? "The file is no JSON object." : context.debugDescription)
        @unknown default:
            self.init(at: "", "The file cannot be read.")
        }
    }

    /// The place and the error.
    package var description: String { place.isEmpty ? sentence : "\(place): \(sentence)" }

    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { place, key in
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    private static func name(of type: any Any.Type) -> String {
        if type is any Collection<String>.Type { return "a list of texts" }
        if type == String.self { return "a text in quotation marks" }
        if type == Bool.self { return "true or false" }
        if type == Int.self { return "a whole number" }
        return type is any Collection.Type && type != [String: Never].self ? "a list" : "an object"
    }
}
