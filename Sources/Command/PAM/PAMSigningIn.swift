internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// One sign-in at an application of the system, from its question to the verdict.
struct PAMSigningIn: Sendable {
    let head: PAMHead
    let configuration: PAMConfiguration
    let rule: PAMServiceRule
    let expected: PeopleMapping.Expectation
    /// The ways by which the person can be let in.
    let ways: Set<SignInWay>
    /// The store of the tokens until the verdict, and afterwards where the session ends with the sign-out.
    let store: any TokenStore

    /// The time limit of one request: a person waits for the fallback when the server is away.
    static let requestLimit = Duration.seconds(4)

    /// The time that the module waits longer than the person has, for the decision, in seconds.
    static let decisionTime = 2

    /// Asks the person, and decides. The tokens are revoked, unless the session is to end with the sign-out.
    ///
    /// - Throws: ``SignInError`` by the person, network and server.
    func verdict() async throws(SignInError) -> PAMVerdict {
        let signedIn = try await signedInInTime()
        let tokens = Self.tokens(in: store, for: configuration)
        let decision: PAMDecision
        do throws(SignInError) {
            decision = PAMDecision(
                about: signedIn.identity, try await tokens.userInfo(), expecting: expected, by: rule)
        } catch {
            await Self.signOut(tokens)
            throw error
        }
        if decision != .accepted || !rule.endsWithSignOut { await Self.signOut(tokens) }
        guard case .refused(let reason) = decision else { return .success }
        PAMLine.log(reason).send()
        return .denied
    }

    /// The tokens of a host's sign-in.
    static func tokens(in store: any TokenStore, for configuration: PAMConfiguration) -> TokenRefresher {
        TokenRefresher(
            at: configuration.issuer, as: configuration.client.id, secret: configuration.client.secret,
            keepingTokensIn: store, options: options)
    }

    /// Revokes tokens as far as the server can be reached, and removes them; also in a task that is cancelled.
    static func signOut(_ tokens: TokenRefresher) async {
        await Task { _ = try? await tokens.signOut() }.value
    }

    /// The limits of requests to the server.
    static var options: SignInOptions {
        var options = SignInOptions()
        options.timeLimit = requestLimit
        // The module leaves more than that to a program that withdraws its question.
        options.revocationLimit = requestLimit
        options.attempts = 1
        return options
    }

    /// The scope: who the person is, and their groups where a rule needs them or the people are found by a claim, which
    /// may be a declared one of that word.
    ///
    /// - Parameters:
    ///   - needsGroups: Whether a rule names groups.
    ///   - claim: The claim by which people are found; `nil` for their names.
    static func scope(withGroups needsGroups: Bool, findingPeopleBy claim: String?) -> Scope {
        var words: [ScopeWord] = [.openid, .profile]
        if needsGroups { words.append(.groups) }
        if claim == "email" { words.append(.email) }
        return Scope(words)
    }

    private var scope: Scope {
        Self.scope(withGroups: !rule.groups.isEmpty, findingPeopleBy: expected.claim)
    }

    /// Lets the person approve by the best way.
    private func signedIn() async throws(SignInError) -> CompletedSignIn {
        let screen = PAMScreen(for: rule)
        if ways.contains(.push), let name = expected.loginHint, let secret = configuration.client.secret {
            return try await pushed(to: name, as: secret, on: screen)
        }
        return try await invited(on: screen)
    }

    /// Asks the person on their devices.
    private func pushed(
        to name: String,
        as secret: ClientSecret,
        on screen: PAMScreen
    ) async throws(SignInError) -> CompletedSignIn {
        let signIn = BackchannelSignIn(
            at: configuration.issuer, as: configuration.client.id, secret: secret, for: scope,
            keepingTokensIn: store, options: Self.options)
        var asked = BackchannelAuthenticationRequest(for: .login(name), scope: scope)
        asked.bindingMessage = message
        asked.acrValues = rule.evidence.map(\.rawValue)
        asked.requestedExpiry = timeout
        let awaited = try await signIn.start(asked)
        if let number = awaited.response.verificationNumber {
            await screen.show(PAMScreen.text(for: VerificationNumber(number)))
        } else {
            await screen.tell("Approve on your phone.")
        }
        switch try await signIn.outcome(of: awaited) {
        case .signedIn(let signedIn): return signedIn
        case .denied: throw SignInError(.denied, because: "the person refused")
        case .expired: throw SignInError(.expired, because: "nobody approved in time")
        }
    }

    /// Shows a code and a link, and looks for phones nearby where the rule allows it.
    private func invited(on screen: PAMScreen) async throws(SignInError) -> CompletedSignIn {
        var here = SignInScreen(name: ProcessInfo.processInfo.hostName, keepingTokensIn: store)
        var options = Self.options
        options.ways = ways.subtracting([.push])
        if options.ways?.contains(.nearby) == true {
            here.nearby = SignInScreen.system.nearby
            if here.nearby == nil { options.ways?.remove(.nearby) }
        }
        options.acrValues = rule.evidence.map(\.rawValue)
        // A text stands on the screen until Enter is pressed, or for good: no newer link takes its place.
        options.renewsLink = false
        let signIn = SignIn(
            at: configuration.issuer, as: configuration.client, for: scope, on: here, options: options)
        do {
            for try await event in signIn {
                await screen.show(event)
                // The claims decide whether it is the right person, and nobody else can tell here.
                if case .confirming(let question) = event { question.answer(.continue) }
                if case .signedIn(let signedIn) = event { return signedIn }
            }
        } catch {
            throw error as? SignInError ?? SignInError(.badAnswer, because: String(describing: error))
        }
        throw SignInError(.cancelled, because: "the sign-in ended without a result")
    }

    /// The words that the person reads beside the request: the application, the user and where they come from.
    private var message: BindingMessage? {
        let place = ProcessInfo.processInfo.hostName
        let words = "\(head.service): \(head.user)@\(place)"
        return head.host.flatMap { BindingMessage(parsing: "\(words) from \($0)") } ?? BindingMessage(parsing: words)
            ?? BindingMessage(parsing: "\(head.service) at \(place)") ?? BindingMessage(parsing: head.service)
    }

    /// The time that the person has, in seconds: what the rule says, and less than the module waits.
    private var timeout: Int { max(1, min(rule.timeout, head.timeLimit - Self.decisionTime)) }

    /// Lets the person approve, and stops that when the time is over.
    private func signedInInTime() async throws(SignInError) -> CompletedSignIn {
        let limit = timeout
        let outcome = await withTaskGroup(of: Result<CompletedSignIn, SignInError>?.self) { group in
            group.addTask {
                do throws(SignInError) {
                    return .success(try await signedIn())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await TimeSource.system.sleep(for: .seconds(limit))
                return nil
            }
            var first = await group.next() ?? nil
            group.cancelAll()
            // The withdrawal of the request is waited for, and an approval that came meanwhile counts.
            while case .some(let next) = await group.next() {
                if first == nil, case .success? = next { first = next }
            }
            return first
        }
        guard let outcome else { throw SignInError(.expired, because: "nobody approved in time") }
        return try outcome.get()
    }
}
