package import Countersign
package import CountersignTransport
package import CountersignWire
internal import Foundation
internal import HTTPTypes

/// Tries a configured provider out, and says in words what is right and what is wrong.
package struct ProviderDiagnosis: Sendable {
    /// One thing that was looked at.
    package struct Finding: Sendable, Equatable {
        /// Whether nothing has to be done about it.
        package let isGood: Bool
        /// The result of the check, and what to do about it.
        package let sentence: String
    }

    let provider: IdentityProvider
    private let issuer: Issuer?
    let transport: any HTTPTransport
    let clock: TimeSource
    let random: RandomSource

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - provider: The provider to try out.
    ///   - issuer: The name of this server; `nil` when it is not known.
    ///   - transport: The network.
    ///   - clock: The time of this server.
    ///   - random: The source of the made-up code of the trial.
    package init(
        of provider: IdentityProvider,
        for issuer: Issuer?,
        over transport: any HTTPTransport,
        clock: TimeSource,
        random: RandomSource
    ) {
        self.provider = provider
        self.issuer = issuer
        self.transport = transport
        self.clock = clock
        self.random = random
    }

    /// Asks the provider for whatever needs no person: whether it can be reached, what it offers, whether it accepts
    /// this server, and what time it is there.
    package func findings() async -> [Finding] {
        switch provider.kind {
        case .openID(let settings): await findings(settings)
        case .socialGraph(let settings): await findings(settings)
        case .oauth1(let settings): await findings(settings)
        case .bearer(let settings): await findings(settings)
        }
    }

    /// Asks the provider for its metadata and keys, compares the clocks, and presents a made-up code.
    private func findings(_ settings: IdentityProvider.OpenID) async -> [Finding] {
        var findings: [Finding] = []
        do throws(ProviderError) {
            let metadata = try await ProviderMetadata.ask(provider.issuer, over: transport)
            findings.append(good("The metadata of \(provider.issuer) can be read."))
            findings += offers(of: metadata, to: settings)
            findings.append(await keys(at: metadata.keys))
            if let answer = try? await transport.send(
                metadata.keys.request(.get), body: [], within: ProviderMetadata.limit),
                let clocks = clocks(of: answer, consequence: "its tokens are refused")
            {
                findings.append(clocks)
            }
            if settings.isOnLoginPage {
                findings.append(await credential(metadata))
                findings.append(await redirect(metadata, isPosted: settings.postsAnswers))
            }
        } catch {
            findings.append(Self.discovery(error, of: provider.issuer))
            if settings.isOnLoginPage { findings.append(registration()) }
        }
        return findings
    }

    func good(_ sentence: String) -> Finding { Finding(isGood: true, sentence: sentence) }
    func bad(_ sentence: String) -> Finding { Finding(isGood: false, sentence: sentence) }

    private static func discovery(_ providerFailure: ProviderError, of issuer: IdentityIssuer) -> Finding {
        let place = ProviderMetadata.address(of: issuer)
        let sentence =
            switch providerFailure.code {
            case .unreachable:
                "\(place) can’t be reached (\(providerFailure.reason)). Is the issuer spelt right, and may this machine go there?"
            case .busy: "\(place) answers that it can’t serve now (\(providerFailure.reason)). Try again in a moment."
            case .notTrusted:
                "The certificate of \(place) is not trusted. Name its authority in SSL_CERT_FILE if it is your own."
            case .anotherIssuer:
                "Another issuer answers at \(place): \(providerFailure.reason). Add the provider with exactly that issuer."
            case .template:
                "\(place) stands for many directories, and the tokens of each have an issuer of their own. Add the provider with the issuer of one directory: --preset microsoft --tenant, and its identifier."
            case .badAnswer, .notOffered, .refused, .token:
                "\(place) has no usable metadata: \(providerFailure.reason)."
            }
        return Finding(isGood: false, sentence: sentence)
    }

    private func offers(of metadata: ProviderMetadata, to settings: IdentityProvider.OpenID) -> [Finding] {
        var findings: [Finding] = []
        if settings.isOnLoginPage {
            do throws(ProviderError) {
                if try metadata.authorization == nil {
                    findings.append(bad("The provider has no page to sign in at (authorization_endpoint)."))
                }
            } catch {
                findings.append(bad("The provider’s page to sign in at can’t be used: \(error.reason)."))
            }
            if (try? metadata.token) == nil, settings.tokenEndpoint == nil {
                findings.append(
                    bad("The metadata name no usable token_endpoint. Add the provider with --token-endpoint."))
            }
            if let methods = metadata.challengeMethods, !methods.contains(CodeChallenge.method) {
                findings.append(
                    bad("The provider does not say that it knows PKCE with S256, so a stolen code is less protected."))
            }
        }
        let ours = SigningAlgorithm.allCases.map(\.rawValue)
        if let algorithms = metadata.algorithms, !algorithms.contains(where: ours.contains) {
            findings.append(
                bad(
                    "Its ID tokens are signed by \(algorithms.joined(separator: ", ")), and only \(ours.joined(separator: ", ")) are accepted."
                ))
        }
        return findings
    }

    private func keys(at place: Endpoint) async -> Finding {
        do throws(ProviderError) {
            let keys = try await ProviderMetadata.keys(at: place, over: transport)
            let (usable, all) = (keys.usableKeys.count, keys.keys.count)
            guard usable > 0 else { return bad("There are no usable keys at \(place.url.absoluteString).") }
            let others = usable == all ? "" : "; \(all - usable) more cannot be used here"
            return good("It has \(usable) usable key\(usable == 1 ? "" : "s")\(others).")
        } catch {
            return bad("The keys at \(place.url.absoluteString) can’t be read: \(error.reason).")
        }
    }

    /// Compares the clocks; `nil` when the provider does not say what time it is.
    func clocks(of answer: HTTPAnswer, consequence: String) -> Finding? {
        guard let text = answer.response.headerFields[.date] else { return nil }
        guard let theirs = HTTPDate.date(of: text) else { return nil }
        let seconds = Int(theirs.timeIntervalSince(clock.now()).rounded())
        guard abs(seconds) <= Int(ParsedIDToken.leeway) else {
            let how = seconds > 0 ? "ahead of" : "behind"
            return bad(
                "Its clock is \(abs(seconds)) seconds \(how) this one, so \(consequence). Set the clock of this machine."
            )
        }
        return good("The clocks agree.")
    }

    /// Presents a made-up code: a provider that accepts this server's credentials answers that the code is wrong.
    private func credential(_ metadata: ProviderMetadata) async -> Finding {
        let code: AuthorizationCode = mint.secret()
        let request = TokenRequest.authorizationCode(
            code,
            redirectURI: OpenIDProviderClient.redirectURI(of: provider.id, at: issuer ?? Self.unknownIssuer),
            verifier: OpenIDProviderClient.VisitSecrets(drawnBy: mint).verifier
        )
        do throws(ProviderError) {
            let answer = try await conversation.tokenAnswer(to: request, of: provider, metadata)
            let word = (try? answer.decoded(OAuthErrorResponse.self))?.error
            switch word {
            case .invalidGrant?: return good("It accepts the client identifier and credential.")
            case .invalidClient?, .unauthorizedClient?:
                return bad(
                    "It does not accept the client identifier or credential (\(word?.rawValue ?? "")). Compare them with what the provider shows."
                )
            default:
                return good(
                    "Whether it accepts the credential can’t be told: it answers \(answer.response.status.code) \(word.flatMap { DeviceAuthorizationRequest.presentable($0.rawValue) } ?? "") to a made-up code."
                )
            }
        } catch {
            return bad("The token endpoint can’t be used: \(error.reason).")
        }
    }

    private var mint: CodeMint { CodeMint(drawingFrom: random) }

    private var conversation: OpenIDProviderClient {
        OpenIDProviderClient(
            directory: ProviderDirectory(over: transport, clock: clock),
            transport: transport,
            issuer: issuer ?? Self.unknownIssuer,
            mint: mint,
            clock: clock
        )
    }

    /// The address to register, where nothing more can be found out.
    private func registration() -> Finding {
        guard let redirectURI else {
            return bad(
                "Register the address ISSUER\(OpenIDProviderClient.callbackPath(of: provider.id)) at the provider; say with --issuer what this server is called."
            )
        }
        return good("Register this address at the provider: \(redirectURI)")
    }

    /// The address of this server that the provider sends browsers back to; `nil` when the name of this server is not
    /// known.
    private var redirectURI: String? { issuer.map { OpenIDProviderClient.redirectURI(of: provider.id, at: $0) } }

    /// Asks for a sign-in without a person (`prompt=none`): a provider that knows the address sends the browser back
    /// there, with an error.
    private func redirect(_ metadata: ProviderMetadata, isPosted: Bool) async -> Finding {
        guard let redirectURI, (try? metadata.authorization) != nil else { return registration() }
        do throws(ProviderError) {
            let page = try await conversation.address(
                of: provider,
                state: mint.secret(AuthorizationCode.self).revealed,
                secrets: OpenIDProviderClient.VisitSecrets(drawnBy: mint),
                again: false
            )
            let place = try ProviderMetadata.endpoint("\(page)&prompt=none", "authorization_endpoint")
            let answer = try await transport.ask(place.request(.get), within: ProviderMetadata.limit)
            return finding(RedirectTrial(answer, to: redirectURI, isPosted: isPosted), redirectURI)
        } catch {
            return bad("The page to sign in at can’t be used: \(error.reason).")
        }
    }

    private func finding(_ trial: RedirectTrial, _ redirectURI: String) -> Finding {
        switch trial {
        case .cameBack: good("It sends browsers back to \(redirectURI).")
        case .refused(let status):
            bad(
                "It does not send browsers back to \(redirectURI), but shows an error (\(status)). Register exactly this address at the provider, and compare the client identifier."
            )
        case .unknown(let status):
            good(
                "Register this address at the provider: \(redirectURI). Whether that is done can’t be told: it answers \(status) to a request without a person."
            )
        }
    }

    private static var unknownIssuer: Issuer {
        do { return try Issuer("https://server.invalid") } catch { preconditionFailure("a constant is an issuer") }
    }
}
