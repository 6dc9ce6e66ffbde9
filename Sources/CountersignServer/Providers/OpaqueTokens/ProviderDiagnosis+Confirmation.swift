internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// The providers that are asked about each token.
extension ProviderDiagnosis {
    /// Asks what a made-up token is: a provider that accepts the app says that it is not valid.
    func findings(_ settings: IdentityProvider.SocialGraph) async -> [Finding] {
        let graph = SocialGraphConfirmation(settings: settings, transport: transport, clock: clock)
        do throws(ProviderError) {
            let answer = try await graph.inspection(of: madeUp)
            let inspection = try answer.message(
                "debug_token", as: TokenInspection.self, orAs: SocialGraphError.otherMedia)
            var findings = [good("\(settings.base) answers, and accepts the app identifier and secret.")]
            if (try? inspection.accepted(for: settings.app, at: clock.now())) != nil {
                findings.append(bad("It calls a made-up token valid, so it cannot be believed."))
            }
            if let clocks = clocks(of: answer, consequence: "tokens end too early or too late") {
                findings.append(clocks)
            }
            return findings
        } catch {
            guard error.code == .refused else {
                return [bad(unusable(settings.base, error, "Are host and version right?"))]
            }
            return [
                bad(
                    "It does not accept the app identifier or secret (\(error.reason)). Compare them with what the provider shows."
                )
            ]
        }
    }

    /// Asks for temporary credentials, which takes nothing but the app's own key and secret.
    ///
    /// Standard: RFC 5849 §2.1.
    func findings(_ settings: IdentityProvider.OAuth1) async -> [Finding] {
        let signing = OAuth1Confirmation(settings: settings, transport: transport, clock: clock, random: random)
        do throws(ProviderError) {
            let answer = try await signing.askForApp()
            let verdict = consumer(answer, at: settings.base)
            let clocks = clocks(of: answer, consequence: "it refuses what this server signs")
            return [verdict] + (clocks.map { [$0] } ?? [])
        } catch {
            return [bad(unusable(settings.base, error, "Is the host right?"))]
        }
    }

    private func consumer(_ answer: HTTPAnswer, at base: String) -> Finding {
        let (status, code) = (answer.response.status.code, TwitterError.code(in: answer.body))
        let numbers = "status \(status)\(code.map { ", error \($0)" } ?? "")"
        return switch OAuth1Confirmation.AppVerdict(answer) {
        case .accepted:
            good("\(base) answers, and accepts the consumer key and secret.")
        case .wrongTime:
            bad("It says that the time of this machine is wrong (\(numbers)). Set the clock of this machine.")
        case .refused:
            bad(
                "It does not accept the consumer key or secret (\(numbers)). They are those of the app, not of a person: compare them with what the provider shows."
            )
        case .unclear: bad("\(base) does not answer as OAuth 1 does (\(numbers)). Is the host right?")
        }
    }

    /// Presents a made-up token, which must be refused; there is nothing else that could be tried.
    func findings(_ settings: IdentityProvider.Bearer) async -> [Finding] {
        let asking = BearerConfirmation(settings: settings, transport: transport, clock: clock)
        let verdict: Finding
        do throws(ProviderError) {
            _ = try await asking.person(of: madeUp)
            verdict = bad("It takes a made-up token for a person’s, so it cannot be believed.")
        } catch {
            verdict =
                error.code == .token
                ? good("\(settings.base) answers, and refuses a made-up token.")
                : bad(unusable(settings.base, error, "Is the host right?"))
        }
        let names = settings.vouchers.map(\.rawValue).joined(separator: ", ")
        return [
            verdict,
            good("It does not say for which app a token was made. Trusted to present only their own: \(names)."),
        ]
    }

    private var madeUp: AccessToken { CodeMint(drawingFrom: random).secret() }

    private func unusable(_ base: String, _ providerFailure: ProviderError, _ question: String) -> String {
        switch providerFailure.code {
        case .unreachable:
            "\(base) can’t be reached (\(providerFailure.reason)). Is the host spelt right, and may this machine go there?"
        case .busy: "\(base) answers that it can’t serve now (\(providerFailure.reason)). Try again in a moment."
        case .notTrusted:
            "The certificate of \(base) is not trusted. Name its authority in SSL_CERT_FILE if it is your own."
        case .badAnswer, .anotherIssuer, .template, .notOffered, .refused, .token:
            "\(base) does not answer as it should: \(providerFailure.reason). \(question)"
        }
    }
}
