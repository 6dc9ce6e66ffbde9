/// What the words of a scope demand of an approval, beside a person who is signed in and knows the screen.
///
/// ``Policy/demands(of:)`` tells it when a request is made, and it is kept with the request: nobody chooses the weakest way
/// later, and a change of the settings does not change what was asked.
public struct ScopeDemands: Sendable, Hashable, Codable {
    /// One thing that is demanded.
    public enum Demand: String, Sendable, Hashable, Codable, CaseIterable {
        /// The person is in front of the screen.
        case nearby
        /// The person signed in with the password or a passkey of their account here.
        case password
        /// The person signed in here with two factors.
        case secondFactor = "second_factor"
        /// The person confirms the request with a passkey that verifies them.
        case userVerified = "user_verified"
    }

    /// What is demanded, in the order of ``Demand``.
    public let all: [Demand]

    /// Nothing.
    public static let none = ScopeDemands([])

    /// Creates demands.
    ///
    /// - Parameter demands: What is demanded, each once, in any order.
    public init(_ demands: Set<Demand>) {
        all = Demand.allCases.filter(demands.contains)
    }

    /// Whether `demand` is among them.
    public func contains(_ demand: Demand) -> Bool { all.contains(demand) }
}
