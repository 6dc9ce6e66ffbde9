internal import Countersign
internal import FoundationEssentialsCompat

/// Decides how a device is signed in for another domain when a person has signed it in before.
///
/// A device belongs to the person of its newest sign-in that has not ended; there is no other record of it. So a denial
/// changes nothing, and signing out ends it. What was approved before the person last took an approval back on that
/// device does not count for automatic sign-on: they are asked again.
/// Standard: ETSI TS 103 407 §8.3, which leaves the choice to the provider.
enum SingleSignOn: Sendable, Equatable {
    /// A person enters the code that the device shows.
    case code
    /// The person who owns the device confirms.
    case confirmation(Subject)
    /// No person is asked, because of this earlier sign-in.
    case automatic(SignInRecord)

    /// Determines how `client` can be signed in for `domain` right now.
    init(of client: ClientID, to domain: ServiceDomain, at now: Date, in repositories: any Repositories) throws {
        self = .code
        guard domain.signOn != .never else { return }
        let records = try repositories.signIns.all(of: client, limit: 1000)
            .filter { $0.isLive(at: now) && $0.request.service == nil }
        guard let subject = records.first?.grant.subject, let person = try repositories.people.find(subject) else {
            return
        }
        self = .confirmation(subject)
        guard domain.signOn == .automatic, person.isActive else { return }
        let undone = try repositories.clients.find(client)?.undone ?? .distantPast
        let earlier = try records.first { record in
            guard record.grant.subject == subject, record.grant.evidence.authenticated != nil,
                record.grant.approved > undone, let name = record.request.domain?.value
            else { return false }
            return try name == domain.name || Domains(repositories).isAffiliated(name, with: domain)
        }
        if let earlier { self = .automatic(earlier) }
    }
}
