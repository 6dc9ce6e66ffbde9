internal import Countersign
internal import FoundationEssentialsCompat

/// Makes the codes that people get where they are signed in, and type on the screens that they want to sign in.
///
/// ``SignInStartService`` uses them up.
struct PersonCodes: Sendable {
    let core: ServerCore

    /// The lifetime of a code, in seconds: two minutes.
    static let lifetime = 120

    /// Makes a code in place of an earlier one of the same person.
    ///
    /// - Parameter holder: The party that shows the code to its person; runs first in the change that stores the code.
    /// - Throws: What `holder` throws, and then nothing is changed; ``StoreUnavailableError``; ``NoFreeCodeError``.
    func make(for holder: @escaping @Sendable (any Repositories) throws -> ApproverIdentity) async throws -> PersonCode
    {
        let keys = try await core.keys.current()
        let expires = core.clock.now() + TimeInterval(Self.lifetime)
        let made = try await core.store.retryingOnKeyCollision {
            let code = PersonCode(revealing: core.mint.digits(PersonCode.length))
            try await core.store.change { repositories in
                let record = try PersonCodeRecord(code, of: holder(repositories), until: expires, under: keys)
                try repositories.personCodes.insert(record)
            }
            return code
        }
        guard let made else { throw NoFreeCodeError() }
        return made
    }

    /// Internal error: all codes that were drawn are in use, which is as good as impossible.
    struct NoFreeCodeError: Error {}
}
