/// Messages of an established link, from bytes and to bytes.
struct SealedFrames: Sendable {
    /// What a frame turned out to be.
    enum Received: Sendable, Equatable {
        /// A message.
        case message(LinkMessage)
        /// It opens, and is no message: the other end breaks the rules.
        case nonsense
        /// It does not open, or cannot be a frame: the connection ends without an answer.
        case broken
    }

    /// How long a frame of a link may be.
    private static let lengths = (CipherState.tagLength + 1)...FrameReader.longest

    /// Seals and opens.
    private var link: EstablishedLink

    /// The frames of a link.
    init(_ link: EstablishedLink) {
        self.link = link
    }

    /// The next message that is whole; `nil` when none is.
    mutating func next(from reader: inout FrameReader) -> Received? {
        do {
            guard let frame = try reader.next(of: Self.lengths) else { return nil }
            return LinkMessage(parsing: try link.session.open(frame)).map { .message($0) } ?? .nonsense
        } catch {
            return .broken
        }
    }

    /// What to send; `nil` when it cannot be sealed, which does not happen.
    mutating func sealed(_ message: LinkMessage) -> [UInt8]? {
        try? link.session.seal(message.bytes)
    }
}
