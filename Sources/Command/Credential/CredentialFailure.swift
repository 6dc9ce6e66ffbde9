internal import Countersign
internal import CountersignRequester
internal import Foundation

/// The failure of a question: for the processes that waited for it, and for later ones, which would ask the same person
/// again.
struct CredentialFailure: Codable, Sendable {
    /// The time in which a person is not asked on their devices again after they denied a question there, or did not answer
    /// it before it expired or its program was ended. Programs that run by the clock would tire them until they approve.
    /// At a terminal they are asked at once.
    static let pause = TimeInterval(15 * 60)

    private let ended: Date
    private let sentence: String
    private let status: Int32
    /// The person who was asked on their devices alone; left out for a question at a terminal, and in older items.
    private let asked: Subject?

    /// The failure of a question.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - person: The person who was asked on their devices alone; `nil` for a question at a terminal.
    ///   - now: The end of the question.
    init(_ error: CommandError, asking person: Subject?, at now: Date) {
        (ended, sentence, status, asked) = (now, error.description, error.status.rawValue, person)
    }

    var error: CommandError { CommandError(sentence, status: ExitStatus(rawValue: status) ?? .failed) }

    /// Whether the question ended while a process waited, other than by the end of its program. One that ended later than now
    /// was asked by a clock that was ahead.
    func isNews(since began: Date, at now: Date) -> Bool {
        error.status != .interrupted && began <= ended && ended <= now
    }

    /// The end of the pause before the next question.
    ///
    /// - Parameter person: The person who would be asked on their devices alone; `nil` at a terminal.
    /// - Returns: `nil` when they may be asked now.
    func pause(beforeAsking person: Subject?, at now: Date) -> Date? {
        guard let person, person == asked, [.denied, .expired, .interrupted].contains(error.status) else { return nil }
        let end = ended.addingTimeInterval(Self.pause)
        return ended <= now && now < end ? end : nil
    }
}

extension CredentialFailure {
    /// Reads the last one; `nil` when there is none.
    init?(at key: TokenStoreKey, in store: some TokenStore) async throws {
        guard let item = try await store.load(key),
            let kept = try? JSONDecoder().decode(CredentialFailure.self, from: Data(item))
        else { return nil }
        self = kept
    }

    func save(at key: TokenStoreKey, in store: some TokenStore) async throws {
        try await store.save(Array(try JSONEncoder().encode(self)), for: key)
    }
}
