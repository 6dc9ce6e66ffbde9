internal import Countersign
internal import CountersignWire

/// A member of a client's registration that an operator sets, named as the option of the command and the field of the
/// page.
package enum ClientMember: String, Sendable, Hashable, CaseIterable {
    case name
    case grantTypes = "grant"
    case scope
    case redirectURIs = "redirect-uri"
    case postLogoutRedirectURIs = "post-logout-redirect-uri"
    case webOrigins = "web-origin"
    case consent
    case pkce
    case pushedRequests = "pushed-requests"
    case signedRequests = "signed-requests"
    case profile
    case tokenFormat = "token-format"
    case idTokenAlgorithm = "id-token-alg"
    case audience
    case serves
    case dpop
    case codeLifetime = "code-lifetime"
    case accessTokenLifetime = "access-token-lifetime"
    case refreshTokenLifetime = "refresh-token-lifetime"
    case linkApproval = "link-approval"
    case minimumEvidence = "minimum-evidence"
    case logoutURI = "back-channel-logout-uri"
    case logoutSession = "back-channel-logout-session"
    case backChannelDelivery = "back-channel-delivery"
    case backChannelNotificationURI = "back-channel-notification-uri"
    case backChannelSigning = "back-channel-signing"
    case backChannelUnknownPeople = "back-channel-unknown-people"
    case backChannelNumber = "back-channel-number"
    case backChannelUserCode = "back-channel-user-code"

    /// The form of its value.
    enum Form: Sendable, Equatable {
        case line
        /// Any number of words, with commas or white space between.
        case words
        /// Any number of texts, one per line.
        case lines
        /// One of a few words.
        case choice([String])
    }

    var form: Form {
        switch self {
        case .name, .scope, .audience, .minimumEvidence, .logoutURI, .backChannelNotificationURI: .line
        case .codeLifetime, .accessTokenLifetime, .refreshTokenLifetime: .line
        case .grantTypes: .words
        case .redirectURIs, .postLogoutRedirectURIs, .webOrigins, .serves: .lines
        case .consent: .choice(RedirectRegistration.Consent.allCases.map(\.rawValue))
        case .pkce: .choice(PKCEUse.allCases.map(\.rawValue))
        case .pushedRequests, .signedRequests, .logoutSession: .choice(Self.demands)
        case .profile: .choice(SecurityProfile.allCases.map(\.rawValue) + [Self.noValue])
        case .tokenFormat: .choice(Client.TokenFormat.allCases.map(\.rawValue))
        case .idTokenAlgorithm: .choice(Client.IDTokenAlgorithm.allCases.map(\.rawValue))
        case .dpop: .choice(Client.DPoPUse.allCases.map(\.rawValue))
        case .linkApproval: .choice(LinkApproval.allCases.map(\.rawValue))
        case .backChannelDelivery: .choice(BackchannelDeliveryMode.allCases.map(\.rawValue))
        case .backChannelSigning: .choice(UnverifiedRequestObject.algorithms + [Self.noValue])
        case .backChannelUnknownPeople: .choice(Self.visibilities)
        case .backChannelNumber, .backChannelUserCode: .choice(Self.switches)
        }
    }

    /// The word for no value.
    static let noValue = "none"
    /// The words for yes and no, of what is demanded, revealed and switched.
    static let demands = ["required", "optional"]
    static let visibilities = ["revealed", "hidden"]
    static let switches = ["on", "off"]

    /// The names of the grant types.
    static let grantNames = GrantType.known.map(\.shortName)

    /// The name of the member on a page.
    var label: TextKey.Admin {
        switch self {
        case .name: .name
        case .grantTypes: .grantTypes
        case .scope: .scope
        case .redirectURIs: .redirectURIs
        case .postLogoutRedirectURIs: .memberPostLogout
        case .webOrigins: .memberWebOrigins
        case .consent: .memberConsent
        case .pkce: .memberPKCE
        case .pushedRequests: .memberPushedRequests
        case .signedRequests: .memberSignedRequests
        case .profile: .memberProfile
        case .tokenFormat: .memberTokenFormat
        case .idTokenAlgorithm: .memberIDTokens
        case .audience: .memberAudience
        case .serves: .memberServes
        case .dpop: .memberDPoP
        case .codeLifetime: .memberCodeLifetime
        case .accessTokenLifetime: .memberAccessTokenLifetime
        case .refreshTokenLifetime: .memberRefreshTokenLifetime
        case .linkApproval: .memberLinkApproval
        case .minimumEvidence: .memberMinimumEvidence
        case .logoutURI: .memberLogoutURI
        case .logoutSession: .memberLogoutSession
        case .backChannelDelivery: .memberDelivery
        case .backChannelNotificationURI: .memberNotificationURI
        case .backChannelSigning: .memberBackChannelSigning
        case .backChannelUnknownPeople: .memberUnknownPeople
        case .backChannelNumber: .memberNumber
        case .backChannelUserCode: .memberUserCode
        }
    }
}

extension GrantType {
    /// The last part of its name, as operators type it.
    var shortName: String { rawValue.split(separator: ":").last.map { String($0) } ?? rawValue }
}
