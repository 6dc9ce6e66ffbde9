public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The place and the time of the answer to a request, stored with its terms.
public struct AnswerRecord: Sendable, Equatable, Codable {
    /// The place where a person answered.
    public enum Place: Sendable, Equatable, Codable {
        /// A page, in the browser session of this identifier; the name of the browser is `nil` if unknown.
        case browser(ApproverID, name: String?)
        /// The app of this sign-in.
        case app(Grant.ID)
        /// A device with the older SDK.
        case olderDevice(DeviceRegistration.ID)
        /// The page behind a link in a text message.
        case textMessage
    }

    /// The place.
    public let place: Place
    /// The instant of the answer.
    public let answered: Date

    /// Creates a record.
    public init(_ place: Place, answered: Date) {
        self.place = place
        self.answered = answered
    }
}
