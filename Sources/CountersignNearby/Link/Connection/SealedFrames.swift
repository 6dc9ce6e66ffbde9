/// Encrypts and decrypts the messages of an established link.
struct SealedFrames: Sendable {
    /// The result of reading a frame.
    enum Reception: Sendable, Equatable {
        case message(LinkMessage)
        /// It was decrypted, but is not a message: the peer violates the protocol.
        case nonsense
        /// It cannot be decrypted, or is not a frame: the connection ends without an answer.
        case broken
    }

    /// The allowed lengths of a frame of a link, in bytes.
    private static let lengths = (CipherState.tagLength + 1)...FrameReader.longest

    /// Seals and opens.
    private var link: EstablishedLink

    init(_ link: EstablishedLink) { self.link = link }

    /// The next complete message; `nil` when there is none.
    mutating func next(from reader: inout FrameReader) -> Reception? {
        do {
            guard let frame = try reader.next(of: Self.lengths) else { return nil }
            return LinkMessage(parsing: try link.session.open(frame)).map { .message($0) } ?? .nonsense
        } catch {
            return .broken
        }
    }

    /// The encrypted message; `nil` when it cannot be sealed, which does not happen.
    mutating func sealed(_ message: LinkMessage) -> [UInt8]? { try? link.session.seal(message.bytes) }
}
