internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The network addresses where people signed in or answered.
struct VisitHistory {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Whether a person signed in or answered in the network of an address within a month; `false` where the address
    /// cannot be seen.
    func isKnown(_ subject: Subject, at address: String?, asOf now: Date) throws -> Bool {
        try KnownNetwork(address, of: subject)?.isKnown(in: repositories, at: now) ?? false
    }

    /// Notes that a person signed in or answered at a network address.
    func note(of subject: Subject, from address: String?, at now: Date) throws {
        try PeopleAtAddress(address)?.note(subject, in: repositories, at: now)
        try KnownNetwork(address, of: subject)?.note(in: repositories, at: now)
    }
}
