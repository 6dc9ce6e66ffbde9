internal import Countersign
internal import CountersignTesting
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A program that asks by a code to act for a person, until an end.
enum ServiceWay: HomeOccasion {
    static let acts = [
        HomeAct("program.asks", weight: 2) { home, choice in
            guard let seconds = choice.any([600.0, 3600]) else { return nil }
            let end = home.clock.date + seconds
            let signIn = try await CodeWay.ask(at: nas, in: home, way: "service") {
                $0.service = GuestService(purpose: "backup on nas", ends: end)
            }
            return signIn.map { "\($0.label) asks to act for a person" } ?? "no code"
        }
    ]

    static let stories = [["program.asks", "person.typesCode"] + CodeWay.page + BrowserActs.decision + CodeWay.tokens]

    private static let nas = HomeScreen(name: "nas", client: .tv)
}
