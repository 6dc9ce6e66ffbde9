public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// A request that waits for the person, of whichever way, as the server knows it; made by an ``Approver`` alone.
///
/// It is the only thing that can be decided upon, and the decision signs what it shows. A screen's statements about
/// itself over a link are not in it, and belong below it, as unverified.
public struct WaitingRequest: Sendable, Equatable, Identifiable, Redacted {
    /// The way of a request to the person, with the facts that only such a request has.
    public enum Kind: Sendable, Equatable {
        /// A screen nearby, over a link; and whether the server sees it and this phone in the same network.
        case nearby(sameNetwork: Fact<SameNetwork>)
        /// Another app of this device, or the screen that this device is.
        case app(AppFacts)
        /// A screen that shows a code, and remembers the person or got a code of theirs.
        case code
        /// A browser at the sign-in page of the server, which got a code of the person. It gets a session of theirs, and
        /// no tokens.
        case browser
        /// A browser at the server's page for a forgotten password, which got a code of the person. It may then set a new
        /// password for them, and gets no session and no tokens.
        case passwordReset
        /// A device where the person signed in before.
        case knownDevice
        /// A client that named the person, over the back channel.
        case backchannel
        /// A customer's site that named the person's telephone number.
        case site(CustomerSiteListing)
    }

    /// The person's step.
    public enum Step: Sendable, Equatable {
        /// They approve or deny.
        case decide
        /// To approve they type the number that is shown where they started, of as many digits as
        /// ``Countersign/VerificationNumber/length``.
        case matchNumber
        /// They can only deny here: an approval on this device does not meet a demand, whose
        /// ``CountersignWire/ApprovalObstacle/sentence`` says what to do instead.
        case denyOnly(ApprovalObstacle)
        /// They type this one-time password at the other screen, and answer nothing here.
        case typeThere(String)
    }

    /// The facts that only the request of another app of this device has.
    public struct AppFacts: Sendable, Equatable {
        /// The destination of the answer; registered with the server.
        public let destination: Fact<AnswerDestination>
        /// The rights that the app would get, in words; at most those that the server has registered for it.
        public let permissions: Fact<[AuthorizationLook.Permission]>
        /// The system's word whether the requesting app owns the destination of the answer; observed on this device.
        public let caller: Fact<RedirectOwnership>
        /// Whether this person allowed that app all of it before.
        public let isAllowedBefore: Bool
    }

    /// The request.
    public let id: SignInRequest.ID
    /// The way of the request; `nearby` for one that came by a list and over a link.
    public internal(set) var kind: Kind
    /// The person's step.
    public internal(set) var step: Step
    /// The account that the other side would be signed in with.
    public let account: ApproverAccount.ID
    /// The person of the account, as the server calls them.
    public let accountName: String
    /// The client that asks: verified when it proved itself or no other app can receive its answer, asserted when any
    /// program could have named it.
    public let client: Fact<ClientID>
    /// The client's name at the server; as believable as the client itself, or less.
    public let clientName: Fact<String>
    /// The name that the asking screen claims for itself; `nil` when the server tells none.
    public let deviceName: Fact<String>?
    /// The software of the asking side, by its own words, as "Firefox, Linux"; `nil` when the server tells none.
    public let software: Fact<String>?
    /// The message that the other screen shows too, by the requesting party; `nil` for none.
    public let message: Fact<String>?
    /// The network address of the asking side: as the server saw it, or as a client that named the person says; `nil`
    /// when nothing is known.
    public internal(set) var address: Fact<String>?
    /// The location of the address, in words; `nil` when nothing is known.
    public let placeName: String?
    /// The requested scope.
    public let scope: Fact<Scope>
    /// The program that asks to act for the person, with its purpose and the end that it wishes, in its own words; `nil` for
    /// a screen or app of theirs.
    public let service: Fact<GuestService>?
    /// The times of the sign-in to choose from, for ``Approver/answer(_:to:session:)``; empty for a request without a
    /// choice.
    public internal(set) var sessionTerms: [SessionTerm]
    /// The end of this device's own sign-in, which nothing that it approves outlasts; `nil` for one that does not end by
    /// itself.
    public internal(set) var sessionLimit: Date?
    /// Whether the asking screen remembers the person already. No chosen time ends that; they end it on `/account`.
    public let isRemembered: Bool
    /// The time of the request, by the server's clock.
    public let asked: Fact<Date>
    /// The deadline for the decision, by the server's clock.
    public let deadline: Date
    /// The server's facts with the one-time nonce that a decision must contain, and the facts of this device that it
    /// states.
    let look: Look
    /// The digest of exactly what the server answered, which the decision signs.
    let digest: AnswerDigest
    /// The look over the link of a screen nearby, which brought a request of the server's list, too; `nil` for none.
    var link: LinkLook?

    /// Whether the person can only deny it here.
    public var isDenyOnly: Bool {
        if case .denyOnly = step { true } else { false }
    }

    /// Whether the person can report or mute its client.
    public var canBeReported: Bool {
        if case .inbox = look { true } else { false }
    }

    /// The look over a link at a request that the server's list has.
    struct LinkLook: Sendable, Equatable {
        let look: ApproverLook<NearbyLook>
        let finding: NearbyFinding
        let digest: AnswerDigest
        /// Whether an approval goes over the link: not where only the list lets the person approve.
        let approves: Bool
    }

    /// The look at a request of each method.
    enum Look: Sendable, Equatable {
        case nearby(ApproverLook<NearbyLook>, NearbyFinding)
        case authorization(ApproverLook<AuthorizationLook>, parameters: String)
        case activation(ApproverLook<ActivationLook>, ActivationFinding)
        case inbox(ApproverLook<InboxLook>)

        /// The way the request was found.
        var method: ApprovalMethod {
            switch self {
            case .nearby: .nearby
            case .authorization: .authorization
            case .activation: .activation
            case .inbox: .inbox
            }
        }
    }
}
