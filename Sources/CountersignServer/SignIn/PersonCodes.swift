internal import Countersign
internal import FoundationEssentialsCompat

/// Makes the codes that people get where they are signed in, and type on the screens that they want to sign in.
///
/// ``SignInStartService`` uses them up.
struct PersonCodes: Sendable {
    let core: ServerCore

    /// The lifetime of a code, in seconds: two minutes.
    private static let lifetime = 120

    /// The party that shows a code to its person.
    struct Holder {
        let approver: ApproverIdentity
        /// The end of its sign-in, which no code outlives; `nil` where it does not end by itself.
        let ends: Date?
    }

    /// Makes a code in place of an earlier one of the same person.
    ///
    /// - Parameter holder: The party that shows the code to its person; runs first in the change that stores the code.
    /// - Returns: The code, and its lifetime in seconds.
    /// - Throws: What `holder` throws, and then nothing is changed; ``StoreUnavailableError``; ``NoFreeCodeError``.
    func make(
        for holder: @escaping @Sendable (any Repositories) throws -> Holder
    ) async throws -> (code: PersonCode, lifetime: Int) {
        let keys = try await core.keys.current()
        let now = core.clock.now()
        let made = try await core.store.retryingOnKeyCollision {
            let code = PersonCode(revealing: core.mint.digits(PersonCode.length))
            return try await core.store.change { repositories in
                let holder = try holder(repositories)
                let left = holder.ends?.timeIntervalSince(now) ?? TimeInterval(Self.lifetime)
                let lifetime = Int(max(0, min(left, TimeInterval(Self.lifetime))))
                try repositories.personCodes.insert(
                    PersonCodeRecord(code, of: holder.approver, until: now + TimeInterval(lifetime), under: keys))
                return (code, lifetime)
            }
        }
        guard let made else { throw NoFreeCodeError() }
        return made
    }

    /// Internal error: all codes that were drawn are in use, which is as good as impossible.
    struct NoFreeCodeError: Error {}
}
