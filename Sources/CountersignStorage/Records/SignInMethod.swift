/// The method of a request for sign-in: its channel, the parties that may answer it, and the way of its result.
///
/// Rules use its members, or switch over all cases.
public enum SignInMethod: Sendable, Equatable {
    /// A screen polls, and shows a code to type or a link to open. A phone nearby must answer the challenge, and a
    /// browser on the screen's own device is sent back; `nil` when the screen named none.
    ///
    /// Standard: RFC 8628; ETSI TS 103 407 §8.3.
    case deviceCode(UserCodeDigest, nearby: NearbyChallenge? = nil, browser: BrowserReturn? = nil)
    /// A device with an earlier sign-in polls. It shows no code: that person confirms, or the approval is automatic.
    ///
    /// Standard: ETSI TS 103 407 §8.3, which leaves this to the provider.
    case singleSignOn
    /// A client receives an authorization code by a redirect.
    ///
    /// Standard: RFC 6749 §4.1.
    case authorizationCode(AuthorizationBinding)
    /// A client names the person.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.
    case backchannel(BackchannelTerms)
    /// A site names the telephone number of the person.
    case customerSite(CustomerSiteTerms)
    /// A browser at this server's sign-in page shows a code to type or a link to open, and asks for a session of its own;
    /// or one at the page for a forgotten password asks to set a new one.
    case browserSession(UserCodeDigest, BrowserSignInTerms)
    /// A token request contains a token of another provider or a ticket instead of a person's decision.
    case immediateGrant
}

// The right to answer it.
extension SignInMethod {
    /// Whether a client or a site named the person, who need not be where the request was started.
    package var isNamedByClient: Bool {
        switch self {
        case .backchannel, .customerSite: true
        case .deviceCode, .singleSignOn, .authorizationCode, .browserSession, .immediateGrant: false
        }
    }

    /// The terms of a request of a site; `nil` for every other request.
    private var site: CustomerSiteTerms? {
        switch self {
        case .customerSite(let terms): terms
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .browserSession, .immediateGrant: nil
        }
    }

    /// The proof that a person gives by finding a request that is addressed to them and that they did not start.
    var proofOfAddressee: Evidence.Proof { isNamedByClient ? .namedByClient : .signedInBefore }

    /// The site in which a device must be registered to answer; `nil` where any device of the person may.
    package var environment: CustomerSiteID? { site?.environment }

    /// The person's task in the request.
    package var kind: AuthenticationRequest.Kind { site?.kind ?? .instant }

    /// The number that the client received at the start, and the person types to approve; `nil` for none.
    package var number: NumberToMatch? {
        switch self {
        case .backchannel(let terms): return terms.number
        case .customerSite(let terms):
            guard case .number(let number) = terms.digits else { return nil }
            return number
        case .deviceCode, .singleSignOn, .authorizationCode, .browserSession, .immediateGrant: return nil
        }
    }
}

// The facts for the person.
extension SignInMethod {
    /// The message that the person should see where they started, too; `nil` for none.
    package var message: String? {
        switch self {
        case .backchannel(let terms): terms.bindingMessage?.rawValue
        case .customerSite(let terms): terms.message
        case .deviceCode, .singleSignOn, .authorizationCode, .browserSession, .immediateGrant: nil
        }
    }

    /// Whether a text message announces it to the person, and no push message does.
    package var isTextOnly: Bool { site?.messageType == .sms }

    /// The origin of the person's sign-in, in words, as a customer's site stated it; `nil` for none.
    package var origin: String? { site?.origin }
}

// The way of its result to the client.
extension SignInMethod {
    /// The grant type of the code that redeems its grant; `nil` where the client has no such code.
    package var grantType: GrantType? {
        switch self {
        case .deviceCode, .singleSignOn: .deviceCode
        case .authorizationCode: .authorizationCode
        case .backchannel: .backchannelAuthentication
        case .customerSite, .browserSession, .immediateGrant: nil
        }
    }

    /// The binding of the authorization code; `nil` where there is none.
    package var binding: AuthorizationBinding? {
        switch self {
        case .authorizationCode(let binding): binding
        case .deviceCode, .singleSignOn, .backchannel, .customerSite, .browserSession, .immediateGrant: nil
        }
    }

    /// The way back from a browser on the device of the screen; `nil` where there is none.
    package var browserReturn: BrowserReturn? {
        switch self {
        case .deviceCode(_, nearby: _, browser: let browser): browser
        case .singleSignOn, .authorizationCode, .backchannel, .customerSite, .immediateGrant, .browserSession: nil
        }
    }

    /// The terms of a browser that asks at a page of this server; `nil` for every other request.
    package var browser: BrowserSignInTerms? {
        if case .browserSession(_, let terms) = self { terms } else { nil }
    }

    /// Whether an approval opens a session of a browser.
    package var opensBrowserSession: Bool { browser?.purpose == .session }

    /// Whether every way to reach the person failed, so that it can no longer be decided.
    package var hasFailed: Bool { site?.hasFailed ?? false }
}
