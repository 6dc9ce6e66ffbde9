public import Countersign
package import CountersignWire

/// The method of a request for sign-in: how it was asked, who may answer it, and how its result reaches the asking side.
///
/// Rules ask its members, or switch over all cases, so that another method has an answer to each of them.
public enum SignInMethod: Sendable, Equatable {
    /// A screen polls, and shows a code that a person types or opens by a link. A phone nearby must answer the
    /// challenge; `nil` when the screen sent none.
    ///
    /// Standard: RFC 8628; ETSI TS 103 407 §8.3.
    case deviceCode(UserCodeDigest, nearby: NearbyChallenge? = nil)
    /// A device polls that a person has signed in before. It shows no code: that person confirms, or is not asked.
    ///
    /// Standard: ETSI TS 103 407 §8.3, which leaves this to the provider.
    case singleSignOn
    /// A client gets an authorization code by a redirect.
    ///
    /// Standard: RFC 6749 §4.1.
    case authorizationCode(AuthorizationBinding)
    /// A client names the person.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.
    case backchannel(BackchannelTerms)
    /// A customer's site names the telephone number of the person.
    case customerSite(CustomerSiteTerms)
    /// A token request brings what takes the place of a person's answer: a token of another provider, or a ticket.
    case immediateGrant
}

// Who may answer it, and as what.
extension SignInMethod {
    /// Whether a client or a site named the person, who need not be where the request was started.
    package var isNamedByClient: Bool {
        switch self {
        case .backchannel, .customerSite: true
        case .deviceCode, .singleSignOn, .authorizationCode, .immediateGrant: false
        }
    }

    /// The proof that a person gives by finding a request that is addressed to them.
    package var proofOfAddressee: Evidence.Proof { isNamedByClient ? .namedByClient : .signedInBefore }

    /// The site in which a device must be registered to answer; `nil` where any device of the person may.
    package var environment: CustomerSiteID? {
        switch self {
        case .customerSite(let terms): terms.environment
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .immediateGrant: nil
        }
    }

    /// The person's task in the request.
    package var kind: AuthenticationRequest.Kind {
        switch self {
        case .customerSite(let terms): terms.kind
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .immediateGrant: .instant
        }
    }

    /// The number that the asking side was told at the start, and the person types to approve; `nil` for none.
    package var number: NumberToMatch? {
        switch self {
        case .backchannel(let terms): return terms.number
        case .customerSite(let terms):
            guard case .number(let number) = terms.digits else { return nil }
            return number
        case .deviceCode, .singleSignOn, .authorizationCode, .immediateGrant: return nil
        }
    }
}

// What is shown and told about it.
extension SignInMethod {
    /// The message that the person should see where they started, too; `nil` for none.
    package var message: String? {
        switch self {
        case .backchannel(let terms): terms.bindingMessage?.rawValue
        case .customerSite(let terms): terms.message
        case .deviceCode, .singleSignOn, .authorizationCode, .immediateGrant: nil
        }
    }

    /// Whether the person is told of it by a text message, and their devices by no push message.
    package var isTextOnly: Bool {
        switch self {
        case .customerSite(let terms): terms.messageType == .sms
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .immediateGrant: false
        }
    }

    /// The origin of the person's sign-in, in words, as a customer's site said it; `nil` for none.
    package var origin: String? {
        switch self {
        case .customerSite(let terms): terms.origin
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .immediateGrant: nil
        }
    }
}

// The way in which its result reaches the asking side.
extension SignInMethod {
    /// The grant type of the code that redeems its grant; `nil` where the asking side has no such code.
    package var grantType: GrantType? {
        switch self {
        case .deviceCode, .singleSignOn: .deviceCode
        case .authorizationCode: .authorizationCode
        case .backchannel: .backchannelAuthentication
        case .customerSite, .immediateGrant: nil
        }
    }

    /// The binding of the authorization code; `nil` where there is none.
    package var binding: AuthorizationBinding? {
        switch self {
        case .authorizationCode(let binding): binding
        case .deviceCode, .singleSignOn, .backchannel, .customerSite, .immediateGrant: nil
        }
    }

    /// Whether every way to reach the person failed, so that it can no longer be decided.
    package var hasFailed: Bool {
        switch self {
        case .customerSite(let terms): terms.hasFailed
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .immediateGrant: false
        }
    }
}
