internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Asks about each token once, however many requests bring it at the same time, and remembers the answer for a while.
actor VerdictKeeper {
    /// The longest that a provider which wants rest is left alone, in seconds.
    static let longestRest: TimeInterval = 60

    private let limits: MemoryLimits
    private var memory: VerdictMemory
    private var questions: [SecretDigest: Task<Result<TokenVerdict, CheckFailure>, Never>] = [:]
    private var restUntil: Date?

    init(_ limits: MemoryLimits) {
        self.limits = limits
        memory = VerdictMemory(limits)
    }

    /// What `token` is worth at `now`: as it is remembered, as somebody is asking already, or as `ask` finds out.
    func verdict(
        on token: AccessToken,
        at now: Date,
        asking ask: @escaping @Sendable () async throws(CheckFailure) -> TokenVerdict
    ) async throws(CheckFailure) -> TokenVerdict {
        let digest = token.digest
        if let known = memory.recall(digest, at: now) { return known }
        if let open = questions[digest] { return try await open.value.get() }
        // A rest that is too long to be one was begun before the clock was set back.
        if let rest = restUntil?.timeIntervalSince(now), rest > 0, rest <= Self.longestRest {
            let seconds = Int(rest.rounded(.up))
            throw CheckFailure(.busy, retryAfter: seconds, because: "the provider wants to be left alone")
        }
        guard questions.count < limits.mostQuestions else {
            throw CheckFailure(.busy, because: "\(questions.count) questions are open")
        }
        // A task of its own: whoever asked first may leave, and the others wait on. The transport's limit ends it.
        let question = Task { await self.settle(digest, at: now, asking: ask) }
        questions[digest] = question
        return try await question.value.get()
    }

    private func settle(
        _ token: SecretDigest,
        at now: Date,
        asking ask: @Sendable () async throws(CheckFailure) -> TokenVerdict
    ) async -> Result<TokenVerdict, CheckFailure> {
        defer { questions[token] = nil }
        do throws(CheckFailure) {
            let verdict = try await ask()
            memory.remember(verdict, of: token, asked: now)
            return .success(verdict)
        } catch {
            if let seconds = error.retryAfter, seconds > 0 {
                restUntil = now + min(TimeInterval(seconds), Self.longestRest)
            }
            return .failure(error)
        }
    }
}
