internal import Countersign
internal import CountersignServer
internal import CountersignTesting

/// An operator who locks and unlocks people, and removes phones, as the command does.
enum OperatorActs: HomeOccasion {
    static let acts = [
        HomeAct("operator.locks", weight: 1) { home, choice in
            guard let person = choice.person(), !home.ledger.locked.contains(person) else {
                return nil
            }
            try await lock(person, in: home)
            return "\(person) is locked"
        },
        HomeAct("operator.unlocks", weight: 1) { home, choice in
            guard let person = choice.any(HomePerson.residents.filter(home.ledger.locked.contains)) else { return nil }
            try await unlock(person, in: home)
            return "\(person) is unlocked"
        },
        HomeAct("operator.removesPhone", weight: 1) { home, choice in
            guard let person = choice.person(), home.phones[person]?.isRemoved == false else {
                return nil
            }
            try await removePhone(of: person, in: home)
            return "the phone of \(person) is removed"
        },
    ]

    private static func lock(_ person: HomePerson, in home: isolated Home) async throws {
        let now = home.clock.date
        home.ledger.locked.insert(person)
        try await home.store.change { repositories in
            guard var record = try repositories.people.find(person.subject) else { return }
            record.standing = .locked
            try repositories.people.update(record)
            try Approvals(repositories).cancelAll(of: person.subject, at: now)
            try Sessions(repositories).endAll(of: person.subject, at: now)
            try RememberedScreens(repositories).endAll(of: person.subject, at: now)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, .personLocked, by: .operator, subject: person.subject))
        }
    }

    private static func unlock(_ person: HomePerson, in home: isolated Home) async throws {
        let now = home.clock.date
        try await home.store.change { repositories in
            guard var record = try repositories.people.find(person.subject) else { return }
            try Revocation(repositories).endAll(of: person.subject, at: now)
            record.standing = .active
            try repositories.people.update(record)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, .personUnlocked, by: .operator, subject: person.subject))
        }
        home.ledger.locked.remove(person)
        home.ledger.ended.insert(person)
        home.phones[person]?.isRemoved = true
    }

    private static func removePhone(of person: HomePerson, in home: isolated Home) async throws {
        let now = home.clock.date
        let mint = CodeMint(drawingFrom: home.random.source)
        try await home.store.change { repositories in
            for device in try repositories.devices.all(of: person.subject) {
                try Revocation(repositories).revoke(device, as: .operator, by: mint, at: now)
            }
        }
        home.phones[person]?.isRemoved = true
    }
}
