internal import Countersign
internal import FoundationEssentialsCompat

/// The answers that the person gives at this device. The server's list lacks a request as soon as it is answered,
/// perhaps before this device hears of it.
struct OwnAnswers: Sendable {
    /// The requests whose answers are on their way, and whether the list was seen without them meanwhile.
    private var sending: [SignInRequest.ID: Bool] = [:]
    /// The answered requests, with the deadline after which they are forgotten.
    private var given: [SignInRequest.ID: Date] = [:]

    /// Begins to send an answer.
    mutating func begin(_ id: SignInRequest.ID) { sending[id] = sending[id] ?? false }

    /// Records that an answer was stored.
    ///
    /// - Parameters:
    ///   - request: The answered request.
    ///   - date: The server's date.
    mutating func give(_ request: WaitingRequest, at date: Date) {
        given = given.filter { $0.value > date }
        given[request.id] = request.deadline
        sending[request.id] = nil
    }

    /// Ends an answer that was perhaps not stored.
    ///
    /// - Returns: Whether the list was seen without the request meanwhile.
    mutating func fail(_ id: SignInRequest.ID) -> Bool { sending.removeValue(forKey: id) ?? false }

    /// Whether a request was answered here.
    func has(_ id: SignInRequest.ID) -> Bool { given[id] != nil }

    /// Notes that the list lacks a request.
    ///
    /// - Returns: Whether that may be because of the answer that was given here.
    mutating func noteLack(of id: SignInRequest.ID) -> Bool {
        guard sending[id] == nil else {
            sending[id] = true
            return true
        }
        return has(id)
    }
}
