public import Countersign

/// The screen that asks, as the app draws it.
///
/// ```swift
/// struct Screen: NearbyScreen {
///     func show(_ code: LinkCode, for approver: NearbyApprover) async {
///         await draw("Type \(code.shown) in the app on ‘\(approver.shown)’.")
///     }
///
///     func takeCodeAway() async { await draw("") }
/// }
/// ```
///
/// Each call is awaited before the link goes on: when ``takeCodeAway()`` returns, the code must be off the screen.
public protocol NearbyScreen: Sendable {
    /// The approvers that were found; told again whenever they change.
    ///
    /// - Parameter approvers: The most recently remembered one first, then by name. There may be many hundreds, since any host
    ///   on the network can make up names: show how many, and the first few.
    func show(_ approvers: [NearbyApprover]) async

    /// "Type **359 799** in the app on 'Anna's phone'".
    ///
    /// - Parameters:
    ///   - code: The digits; ``LinkCode/shown`` has them in two groups.
    ///   - approver: Where they are to be typed. They are of no use anywhere else.
    func show(_ code: LinkCode, for approver: NearbyApprover) async

    /// The code is of no use any more: it was typed, or it went wrong. It must be off the screen when this returns.
    func takeCodeAway() async

    /// What happens with an approver.
    ///
    /// - Parameters:
    ///   - news: What has happened.
    ///   - approver: With whom.
    func tell(_ news: NearbyNews, of approver: NearbyApprover) async

    /// The request is about to leave over a link. An app that asks a server for tokens names the link there from now on.
    ///
    /// - Parameter link: The link, for `NearbySignIn.asked(over:)`.
    func prepareRequest(over link: NearbyLinkID) async
}

extension NearbyScreen {
    /// Shows nothing: the only approver is picked by itself.
    public func show(_ approvers: [NearbyApprover]) async {}
    /// Tells nothing.
    public func tell(_ news: NearbyNews, of approver: NearbyApprover) async {}
    /// Does nothing, as without a server.
    public func prepareRequest(over link: NearbyLinkID) async {}
}

/// An approver that was found; every host on the network may advertise any name.
public struct NearbyApprover: Sendable, Hashable, Identifiable {
    /// Which one is meant, when the person picks it.
    public struct ID: Sendable, Hashable {
        /// The name by which it is found, which is its identity here.
        let name: String
    }

    /// Which one it is, for ``NearbyChannel/choose(_:)``.
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
    /// No connection could be made to it.
    case unreachable
    /// The handshake failed, or it claimed what it cannot show.
    case notAuthentic
    /// It is authenticated, and can't go on.
    case refused(EndReason)
    /// What answered there takes no screens. It is not authenticated, so this is a hint.
    case turnedAway(EndReason)
    /// It has not answered in time.
    case timedOut
    /// It has sent what it may not.
    case brokeProtocol
    /// It wants a code, and the code for another approver is on the screen. The person may pick it instead.
    case anotherCodeIsShown
    /// This side has ended it.
    case left
}

/// How an attempt to be signed in has ended.
public enum NearbyResult: Sendable, Equatable {
    /// The approver has granted.
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
    /// What was granted.
    public let grant: NearbyGrant
    /// What the approver calls itself.
    public let approver: PeerName
    /// How the approver was authenticated.
    public let trust: NearbyProof
    /// The link that it came over.
    public let link: NearbyLinkID
    /// Whether the two know each other from now on.
    public let isRemembered: Bool
}

/// What a requester wants.
public struct NearbyWish: Sendable {
    /// What is asked for.
    public let request: NearbyRequest
    /// Whether the person at the requester wants the approver remembered; its own person must want that, too.
    public let remembers: Bool
    /// How long all of it may take; `nil` for as long as the person likes.
    public let lifetime: Duration?
    /// Whether an approver that is the only one for a second is picked without asking the person.
    public let picksTheOnlyOne: Bool

    /// A wish for `request`.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - remembers: Whether this side wants the approver remembered; not, by default.
    ///   - lifetime: How long all of it may take; `nil`, the default, for as long as the person likes.
    ///   - picksTheOnlyOne: Whether an approver that is the only one for a second is picked without the person; by default
    ///     it is.
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
