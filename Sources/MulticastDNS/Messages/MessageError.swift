/// The reason that a packet cannot be read or written.
package enum MessageError: Error, Hashable, Sendable {
    /// The packet is shorter than its contents.
    case tooShort
    /// A label is empty, or longer than 63 bytes.
    case labelLength
    /// The first two bits of a label's length have an unknown value.
    case labelKind
    /// A name is longer than 255 bytes.
    case nameTooLong
    /// A compression pointer does not point backwards.
    case pointerNotBackwards
    /// A record's data is longer or shorter than its kind allows.
    case dataLength
    /// The list of types in an NSEC record is not well formed.
    case typeList
    /// It has more questions than any packet of the usual size has room for.
    case tooManyQuestions
    /// A record does not fit any packet.
    case recordTooLong
}
