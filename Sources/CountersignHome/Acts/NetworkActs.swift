/// A network that is cut and heals, and a server that starts again.
enum NetworkActs: HomeOccasion {
    static let acts = [
        HomeAct("network.cuts", weight: 2) { home, choice in
            let people = HomePerson.residents.flatMap { [HomeParty.phone($0), .browser($0)] }
            let screens = home.signIns.filter(\.isWaiting).map { HomeParty.screen($0.screen) }
            guard let party = choice.any(people + screens + screens) else { return nil }
            home.network.cut.insert(party)
            return "\(party) is cut off"
        },
        HomeAct("network.heals", weight: 3) { home, _ in
            guard !home.network.cut.isEmpty else { return nil }
            home.network.heal()
            return "all are connected"
        },
        HomeAct("server.restarts", weight: 1) { home, _ in
            try await home.restart()
            return "the server starts again"
        },
    ]
}
