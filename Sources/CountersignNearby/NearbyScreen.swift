public import Countersign

/// The screen that asks, as the app draws it.
///
/// Each call is awaited before the link goes on: when ``takeCodeAway()`` returns, the code must be off the screen.
public protocol NearbyScreen: Sendable {
    /// The approvers that were found, the most recently remembered one first; told again whenever they change.
    func show(_ approvers: [NearbyApprover]) async

    /// "Type **359 799** in the app on 'Anna's phone'".
    func show(_ code: LinkCode, for approver: NearbyApprover) async

    /// The code is of no use any more.
    func takeCodeAway() async

    /// What happens with an approver.
    func tell(_ news: NearbyNews, of approver: NearbyApprover) async

    /// The request is about to leave over a link. Whoever asks a server for tokens names the link there from now on.
    func prepareRequest(over link: NearbyLinkID) async
}

extension NearbyScreen {
    public func show(_ approvers: [NearbyApprover]) async {}
    public func tell(_ news: NearbyNews, of approver: NearbyApprover) async {}
    public func prepareRequest(over link: NearbyLinkID) async {}
}

/// An approver that was found; whoever is on the network may advertise any name.
public struct NearbyApprover: Sendable, Hashable, Identifiable {
    /// Which one is meant, when the person picks it.
    public struct ID: Sendable, Hashable {
        let name: String
    }

    public let id: ID
    /// The name by which it is found.
    public let name: String
    /// What it called itself when the person had it remembered; `nil` for one that is not.
    public let rememberedAs: PeerName?

    /// The name that a person knows it by, as a screen may show it.
    public var shown: String { rememberedAs?.shown ?? name.shownInOneLine }
}

/// What the person is told about an approver.
public enum NearbyNews: Sendable, Equatable {
    /// "Look at 'Anna's phone'".
    case asking
    /// Another screen is first: "you are 2nd", when one is before this one.
    case waiting(place: Int)
    /// "That did not work. [New code]": the app calls ``NearbyChannel/tryAgain()`` when the person wants that.
    case missed(codesLeft: Int)
    /// "Approve on 'Anna's phone'".
    case askedForDecision
    /// It is out of the story; the person may pick another one, or the same again.
    case ended(NearbyFailure)
}

/// Why a conversation with an approver led to nothing.
public enum NearbyFailure: Sendable, Equatable {
    /// It has gone, whatever it said before: it was not authenticated.
    case gone(said: EndReason?)
    case unreachable
    /// The handshake failed, or it claimed what it cannot show.
    case notAuthentic
    /// It is authenticated, and can't go on.
    case refused(EndReason)
    /// Whoever answered there takes nobody: a hint.
    case turnedAway(EndReason)
    case timedOut
    case brokeProtocol
    /// This side has ended it.
    case left
}

/// How an attempt to be signed in has ended.
public enum NearbyResult: Sendable, Equatable {
    case granted(NearbyGranted)
    /// The person said no, at an approver that is authenticated; its name, if it said one.
    case declined(by: PeerName?)
    /// Too many codes were shown for nothing; the person may start again.
    case missesUsedUp
    /// The approver at the address that was given did not work out.
    case failed(NearbyFailure)
    /// Time was over.
    case timedOut
    /// The task was cancelled.
    case stopped
}

/// A grant, and where it comes from.
public struct NearbyGranted: Sendable, Equatable {
    public let grant: NearbyGrant
    /// What the approver calls itself.
    public let approver: PeerName
    public let trust: NearbyProof
    public let link: NearbyLinkID
    /// Whether the two know each other from now on.
    public let isRemembered: Bool
}

/// What a requester wants.
public struct NearbyWish: Sendable {
    public let request: NearbyRequest
    /// Whether the person at the requester wants the approver remembered; its own person must want that, too.
    public let remembers: Bool
    /// How long all of it may take; `nil` for as long as the person likes.
    public let lifetime: Duration?
    /// Whether an approver that is the only one for a second is picked without asking the person.
    public let picksTheOnlyOne: Bool

    /// A wish for `request`.
    public init(
        _ request: NearbyRequest,
        remembers: Bool = false,
        lifetime: Duration? = nil,
        picksTheOnlyOne: Bool = true
    ) {
        self.request = request
        self.remembers = remembers
        self.lifetime = lifetime
        self.picksTheOnlyOne = picksTheOnlyOne
    }
}
