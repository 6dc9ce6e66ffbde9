internal import Countersign
internal import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// A phone of a person, with the app that approves by signed decisions.
public struct HomePhone: Sendable, Hashable {
    /// The person whose phone it is.
    public let person: HomePerson
}

/// The approving app on a phone: its enrolled key, and the request that it shows.
struct ApprovingPhone: Sendable {
    /// A request as the app was shown it.
    enum ShownRequest: Sendable {
        case nearby(ApproverLook<NearbyLook>, AnswerDigest, over: NearbyLinkID)
        /// The request of a screen on the device with this number; `nil` for a device where no screen listens.
        case activation(ApproverLook<ActivationLook>, AnswerDigest, at: Int?)
        case inbox(ApproverLook<InboxLook>, AnswerDigest)

        var exchange: SignInRequest.ID {
            switch self {
            case .nearby(let look, _, over: _): look.exchange
            case .activation(let look, _, at: _): look.exchange
            case .inbox(let look, _): look.exchange
            }
        }
    }

    /// A signed decision, as the app stores it.
    struct SentDecision: Sendable {
        let text: String
        let shown: ShownRequest
        /// The server's answer; `nil` before it came.
        var outcome: ApproverDecideResponse.Outcome?
    }

    /// A request that came to the app itself, and not to its inbox.
    enum CarriedRequest: Sendable {
        /// That of a screen, over a link.
        case nearby(NearbySignInRequest, over: NearbyLinkID)
        /// That of a sign-in, by the page that the system opened the app with on the device with this number; `nil` for a
        /// device where no screen listens.
        case activation(of: Int, at: Int?)
    }

    let person: HomePerson
    let token: AccessToken
    let refreshToken: RefreshToken?
    let key: P256.Signing.PrivateKey
    /// The requests that its inbox lists.
    var inbox: [SignInRequest.ID] = []
    var carried: CarriedRequest?
    var shown: ShownRequest?
    /// The decision that it sent last.
    var sent: SentDecision?
    /// The code to type on a screen that the app shows; `nil` for none.
    var personCode: PersonCode?
    /// Whether the server removed it, or ended all that its person held.
    var isRemoved = false

    /// Starts the app again: it shows nothing, and keeps what it sent.
    mutating func restart() { (inbox, carried, shown, personCode) = ([], nil, nil, nil) }

    /// The header that presents its token.
    var fields: HTTPFields { [.authorization: BearerHeader.value(for: token)] }

    /// Signs an answer to the request that it shows.
    func decision(
        _ answer: DecisionClaims.Answer,
        on shown: ShownRequest,
        typing number: String? = nil,
        issuer: String,
        id: String,
        at now: Date
    ) throws -> String {
        func claims(
            on look: ApproverLook<some LookDetails>, _ digest: AnswerDigest, by finding: DecisionClaims.Finding
        ) -> DecisionClaims {
            DecisionClaims(
                answer, by: finding, on: look, shown: digest, audience: issuer, issued: now.numericDate, id: id)
        }
        let signed =
            switch shown {
            case .nearby(let look, let digest, over: let link):
                claims(on: look, digest, by: .nearby(NearbyFinding(link: link, proof: .code)))
            case .activation(let look, let digest, at: _):
                claims(
                    on: look, digest,
                    by: .activation(ActivationFinding(returningTo: try RedirectURI(look.details.redirectURI))))
            case .inbox(let look, let digest): claims(on: look, digest, by: .inbox(InboxFinding(number: number)))
            }
        return try UnverifiedDecision.text(of: signed, by: try publicKey, signedBy: sign)
    }

    /// The proof that it holds its key.
    func keyProof(for issuer: String) throws -> String {
        try UnverifiedDeviceKeyProof.text(of: try publicKey, for: issuer, presenting: token, signedBy: sign)
    }

    private var publicKey: ApproverKey {
        get throws {
            guard let key = ApproverKey(rawRepresentation: key.publicKey.rawRepresentation) else {
                throw HomeFault(.server, "a key of a phone is no key")
            }
            return key
        }
    }

    private func sign(_ bytes: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: bytes).rawRepresentation) }
}
