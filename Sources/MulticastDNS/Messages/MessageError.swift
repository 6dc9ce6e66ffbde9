/// What is wrong with a packet, or with what should become one.
package enum MessageError: Error, Hashable, Sendable {
    /// It ends before what it announces.
    case tooShort
    /// A label is empty, or longer than 63 bytes.
    case labelLength
    /// The first two bits of a label's length are of no known kind.
    case labelKind
    /// A name is longer than 255 bytes.
    case nameTooLong
    /// A pointer within a name does not lead back to what came before.
    case pointerNotBackwards
    /// A record's data is longer or shorter than its kind allows.
    case dataLength
    /// The list of types in an NSEC record is not well formed.
    case typeList
    /// A record does not fit any packet.
    case recordTooLong
}
