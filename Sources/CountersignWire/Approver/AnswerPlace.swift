public import FoundationEssentialsCompat

/// The place where a person answered a request, told to their other devices alone.
public struct AnswerPlace: Sendable, Hashable {
    /// The kinds of places.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A page of the server, in a browser where the person is signed in.
        case browser
        /// An app or a device that approves.
        case device
        /// The page behind a link in a text message.
        case textMessage = "text_message"
    }

    /// The kind of place.
    public let kind: Kind
    /// The name of the browser, or of the device as its person or its model has it; `nil` for none.
    public let name: String?
    /// The instant of the answer, by the server's clock.
    public let answered: Date

    /// Names a place.
    public init(_ kind: Kind, named name: String?, answered: Date) {
        self.kind = kind
        self.name = name
        self.answered = answered
    }
}

extension AnswerPlace: CustomStringConvertible {
    /// The place in words, to follow "answered": "on Anna’s phone".
    public var description: String {
        switch (kind, name) {
        case (.browser, let name?): "in the browser \(name)"
        case (.browser, nil): "in a browser"
        case (.device, let name?): "on \(name)"
        case (.device, nil): "on another device"
        case (.textMessage, _): "by the link in a text message"
        }
    }
}

extension AnswerPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case kind = "place"
        case answered = "at"
    }

    /// Reads the members; `at` in seconds since 1970.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = try fields.decode(Kind.self, forKey: .kind)
        name = try fields.decodeIfPresent(String.self, forKey: .name)
        answered = Date(named: try fields.decode(Int.self, forKey: .answered))
    }

    /// Writes the members.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encodeIfPresent(name, forKey: .name)
        try fields.encode(answered.numericDate, forKey: .answered)
    }
}
