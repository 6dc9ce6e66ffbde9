/// The app's side of a requester: its screen.
///
/// ```swift
/// struct Screen: NearbyRequesterDelegate {
///     func show(_ code: LinkCode, for approver: NearbyApprover) async {
///         await draw("Type \(code.shown) in the app on ‘\(approver.shown)’.")
///     }
///
///     func takeCodeAway() async { await draw("") }
/// }
/// ```
///
/// Each call is awaited before the link continues: when ``takeCodeAway()`` returns, the code must be off the screen.
public protocol NearbyRequesterDelegate: Sendable {
    /// The approvers that were found; called again whenever they change.
    ///
    /// - Parameter approvers: The most recently paired one first, then by name. There may be many hundreds, since
    ///   any host on the network can make up names: show how many, and the first few.
    func show(_ approvers: [NearbyApprover]) async

    /// "Type **359 799** in the app on 'Anna's phone'".
    ///
    /// - Parameters:
    ///   - code: The digits; ``LinkCode/shown`` has them in two groups.
    ///   - approver: The approver where they are to be typed. They are valid nowhere else.
    func show(_ code: LinkCode, for approver: NearbyApprover) async

    /// The code is no longer valid: it was typed, or the attempt failed. It must be off the screen when this returns.
    func takeCodeAway() async

    /// The progress with an approver.
    ///
    /// - Parameters:
    ///   - progress: The step that was reached.
    ///   - approver: The approver that it concerns.
    func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async

    /// The request is about to be sent over a link. From now on, an app that polls a server for tokens sends it the
    /// link's identifier.
    ///
    /// - Parameter link: The link, as `SignIn` of `CountersignRequester` names it to the server.
    func prepareRequest(over link: NearbyLinkID) async
}

extension NearbyRequesterDelegate {
    /// Shows nothing: a single approver is picked automatically.
    ///
    /// - Parameter approvers: The currently discovered approvers.
    public func show(_ approvers: [NearbyApprover]) async {}
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - progress: The step that was reached.
    ///   - approver: The approver that it is about.
    public func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {}
    /// Does nothing, which is right without a server.
    ///
    /// - Parameter link: The link that carries the request.
    public func prepareRequest(over link: NearbyLinkID) async {}
}

/// A discovered approver; every host on the network may advertise any name.
public struct NearbyApprover: Sendable, Hashable, Identifiable {
    /// Identifies an approver when the person picks it.
    public struct ID: Sendable, Hashable {
        /// The advertised name, which identifies it in this process.
        let name: String

        /// The approver of that advertised name.
        package init(name: String) { self.name = name }

        /// Compared by bytes, as names are on the network: two spellings of one character are two approvers.
        public static func == (left: ID, right: ID) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }

        /// Hashes the bytes, as `==` compares them.
        public func hash(into hasher: inout Hasher) { hasher.combine(Array(name.utf8)) }
    }

    /// The identifier for ``NearbyRequester/choose(_:)``.
    public let id: ID
    /// The advertised name.
    public let name: String
    /// Its own name at the time of the pairing; `nil` if it is not paired.
    public let pairedAs: PeerName?

    /// The name that the person knows it by, safe to show.
    public var shown: String { pairedAs?.shown ?? name.shownInOneLine }
}

/// A step with an approver that is reported to the person.
public enum NearbyProgress: Sendable, Equatable {
    /// "Look at 'Anna's phone'".
    case asking
    /// "'Anna's phone' is busy": it is retried automatically, until the attempt ends or the person picks another one.
    /// This is reported once; later events are reported as usual, without another ``asking``.
    case busy
    /// Another screen is first: "you are 2nd", when one is before this one.
    case waiting(place: Int)
    /// "That did not work. [New code]": the app calls ``NearbyRequester/tryAgain()`` when the person wants that.
    case missed(codesLeft: Int)
    /// "Approve on 'Anna's phone'".
    case askedForDecision
    /// The conversation with it has ended; the person may pick another one, or the same again.
    case ended(NearbyFailure)
}

/// The reason that a conversation with an approver failed.
public enum NearbyFailure: Sendable, Equatable {
    /// It disconnected before it was authenticated; its messages are not verified.
    case gone(said: EndReason?)
    /// It could not be connected to.
    case unreachable
    /// The handshake failed, or the approver made a claim that it cannot prove.
    case notAuthentic
    /// It is authenticated, and refused with this reason.
    case refused(EndReason)
    /// It accepts no screens. It is not authenticated, so this is a hint only.
    case turnedAway(EndReason)
    /// It has not answered in time.
    case timedOut
    /// It violated the protocol.
    case brokeProtocol
    /// It wants a code, while the code for another approver is on the screen. The person may pick it instead.
    case anotherCodeIsShown
    /// This side has ended it.
    case left
}

extension NearbyFailure {
    /// Whether it was busy, so that it can be asked again soon.
    var isBusy: Bool { self == .turnedAway(.busy) || self == .gone(said: .busy) || self == .refused(.busy) }
}

/// The result of an attempt to be signed in.
public enum NearbyResult: Sendable, Equatable {
    /// The approver has granted.
    case granted(NearbyGranted)
    /// The person said no, at an approver that is authenticated; its name, if it gave one.
    case declined(by: PeerName?)
    /// Too many codes failed; the person may start again.
    case missesUsedUp
    /// The sign-in with the approver at the given address failed.
    case failed(NearbyFailure)
    /// Time ran out.
    case timedOut
    /// The task was cancelled.
    case stopped
}

/// A grant, with its approver, the approver's authentication and the link.
public struct NearbyGranted: Sendable, Equatable {
    /// The grant.
    public let grant: NearbyGrant
    /// The name that the approver claims.
    public let approver: PeerName
    /// The authentication of the approver.
    public let trust: NearbyProof
    /// The link that delivered the grant.
    public let link: NearbyLinkID
    /// Whether the approver is paired from now on.
    public let isPaired: Bool
}

/// A requester's request, and the options of the attempt.
public struct NearbySignInOptions: Sendable {
    /// The request.
    public let request: NearbyRequest
    /// Whether the person at the requester wants to pair with the approver; the approver's person must want that, too.
    public let pairs: Bool
    /// The time limit of the whole attempt; `nil` for no limit, also while the approver is busy and is retried.
    public let lifetime: Duration?
    /// Whether a single approver is picked after a second without asking the person.
    public let picksTheOnlyOne: Bool

    /// Options for `request`.
    public init(
        _ request: NearbyRequest,
        pairs: Bool = false,
        lifetime: Duration? = nil,
        picksTheOnlyOne: Bool = true
    ) {
        self.request = request
        self.pairs = pairs
        self.lifetime = lifetime
        self.picksTheOnlyOne = picksTheOnlyOne
    }
}
