/// A way from a screen that asks to be signed in to the person who decides, from the strongest to the weakest.
///
/// All ways of one sign-in lead to the same request, which is decided once. Policy reads ``Evidence``, never the way:
/// ``ScopeDemands/ways`` says which ways can give the evidence that a request demands.
public enum SignInWay: String, Sendable, Hashable, Codable, CaseIterable {
    /// A phone in front of the screen answers over a link between the two.
    case nearby
    /// The person answers in the browser of the device that asks.
    case browser
    /// A person who is named is asked on their devices, or on their pages.
    case push
    /// The person types the code of the screen on a page, or opens its link.
    case code
}

extension ScopeDemands {
    /// The ways by which a person can meet these demands, if they have the means for it.
    ///
    /// A code meets ``Demand/number`` only where the screen shows a number.
    public var ways: Set<SignInWay> {
        Set(
            SignInWay.allCases.filter { way in
                all.allSatisfy(way.canMeet) && (classes.isEmpty || classes.contains(where: way.canReach))
            })
    }
}

extension SignInWay {
    fileprivate func canMeet(_ demand: ScopeDemands.Demand) -> Bool {
        switch demand {
        case .password, .secondFactor, .number, .deliberate: true
        case .nearby: self == .nearby || self == .browser
        // A phone nearby proves that it is there, and not that it verified its person.
        case .userVerified: self != .nearby
        case .deviceKey: self == .nearby || self == .push
        }
    }

    fileprivate func canReach(_ wanted: AuthenticationClass) -> Bool {
        switch wanted {
        case .password, .secondFactor, .passkey, .userVerified, .federated, .number: true
        case .nearby: canMeet(.nearby)
        case .deviceKey: canMeet(.deviceKey)
        case .possession, .crossDevice: false
        }
    }
}
