internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension SignInStartService {
    /// Starts the request of a screen where a person typed their code, which is used up.
    ///
    /// The request is for that person alone, and taken by the browser or app that shows them the code. Wrong, used and
    /// expired codes, and those of locked people, have the same outcome, and count as guesses. A guess has no target
    /// that could be counted: it may hit the code of any person.
    ///
    /// Standard: RFC 10027 §6.1.11 (rate limits).
    func start(
        _ asked: SignInStartRequest,
        by typed: PersonCode,
        under codes: Codes,
        in repositories: any Repositories,
        by step: ApprovalService.Step
    ) throws -> SignInStartOutcome {
        try admitting(asked, at: step.now, in: repositories) { start -> SignInStartOutcome in
            let guesses: [RateLimitKey] = [
                .address(.guessPerAddress, asked.address), .overall(.userCodeOverall),
            ]
            try limits.admit(guesses, in: repositories)
            guard var code = try repositories.personCodes.find(typed.digest(under: step.keys)), code.request == nil,
                step.now < code.expires, try repositories.people.find(code.holder.subject)?.isActive == true
            else {
                try limits.count(guesses, in: repositories)
                return .wrongPersonCode
            }
            var new = try request(
                start,
                as: mint.identifier(),
                by: asked.method(under: codes.userDigest),
                under: codes.device.digest,
                to: .starter(code.holder.subject),
                at: step.now,
                in: repositories
            )
            code.request = new.stored.id
            try repositories.personCodes.update(code)
            new.stored = try step.take(new.stored, byCodeOf: code.holder)
            try insert(new, in: repositories)
            return .started(
                StartedSignIn(
                    deviceCode: codes.device,
                    way: .code(codes.user),
                    link: nil,
                    ways: [.code],
                    isRemembered: new.stored.terms.screen != nil,
                    lifetime: asked.client.lifetimes.code
                ))
        }
    }
}
