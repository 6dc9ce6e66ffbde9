public import FoundationEssentialsCompat

/// The place and the time of the answer to a request, stored with its terms.
public struct AnswerRecord: Sendable, Equatable, Codable {
    /// The place where a person answered.
    public let place: ApproverPlace
    /// The instant of the answer.
    public let answered: Date

    /// Creates a record.
    public init(_ place: ApproverPlace, answered: Date) {
        self.place = place
        self.answered = answered
    }
}
