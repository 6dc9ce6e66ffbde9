/// Something that can happen in a home.
struct HomeAct: Sendable {
    /// The name in schedules, such as `tv.asks`.
    let name: String
    /// The share of the act among all events.
    let weight: Int
    /// Does it, by at most one request; returns a line for the trace, or `nil` when there is nothing to do.
    let perform: @Sendable (isolated Home, HomeChoice) async throws -> String?

    init(
        _ name: String,
        weight: Int,
        _ perform: @escaping @Sendable (isolated Home, HomeChoice) async throws -> String?
    ) {
        self.name = name
        self.weight = weight
        self.perform = perform
    }
}

/// A subject of acts: a way in, or a disturbance. A new one is one file, and one line in ``Home/occasions``.
protocol HomeOccasion: SendableMetatype {
    /// The acts that it adds to schedules.
    static var acts: [HomeAct] { get }
    /// The acts that tell whole stories, in their order; none by default.
    static var stories: [[String]] { get }
}

extension HomeOccasion {
    static var stories: [[String]] { [] }
}

extension Home {
    /// The subjects of acts.
    static let occasions: [any HomeOccasion.Type] = [
        CodeWay.self, NearbyWay.self, BackchannelWay.self, AuthorizationCodeWay.self, TicketWay.self,
        ScreenBrowserWay.self, ProviderAppWay.self, RememberedPersonWay.self, BrowserSignInWay.self,
        PersonCodeWay.self, StepUpWay.self, ServiceWay.self, GivingUpActs.self, RestartActs.self, UndoActs.self,
        BrowserActs.self,
        PhoneActs.self, TokenActs.self, NetworkActs.self, OperatorActs.self, AttackerActs.self, StolenHintActs.self,
    ]

    /// All acts of schedules.
    static let acts: [HomeAct] = occasions.flatMap { $0.acts }

    /// All stories of schedules.
    static let stories: [[String]] = occasions.flatMap { $0.stories }
}
