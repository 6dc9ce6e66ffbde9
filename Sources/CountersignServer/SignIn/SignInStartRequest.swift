internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A sign-in request of an authenticated client, as an endpoint has parsed it.
struct SignInStartRequest: Sendable {
    let client: Client
    /// The provenance of the client's identity.
    let provenance: Provenance
    /// At most what the client is registered for.
    let scope: Scope
    /// The domain that it wants tokens for; `nil` for the server itself.
    var domain: Domain?
    /// The network address that it comes from, as far as it can be seen.
    let address: String?
    /// Whether it comes from the browser of a person, who causes the cost, though the client is assured.
    var isOfVisitor = false
    /// The address of the screen.
    var screen = ScreenAddress.sender
    /// The screen's name for itself.
    var deviceName: String?
    /// The software that asks, as it names itself.
    let software: String?
    /// The digest of the verifier that the screen shows to phones nearby.
    var nearbyChallenge: NearbyChallenge?
    /// The way back from a browser on the device of the screen.
    var browserReturn: BrowserReturn?
    /// The person and the screen that an ID token names, which the screen got for them; `nil` for none.
    var screenHint: ScreenHint?
    /// The code that a person typed on the screen; `nil` for none.
    var personCode: PersonCode?
    /// Whether the screen can show a number to the person who approves.
    var showsNumber = false
    /// Whether the screen shows a new link each minute.
    var renewsLink = false
    /// The classes of authentication that the client asks for, the best first.
    var classes: [AuthenticationClass] = []
    /// The greatest age of the person's authentication, in seconds; `nil` for any.
    var maxAge: Int?
    /// The ways that the request offers to a person; all of them if the way of the answer is not known yet.
    var ways = Set(SignInWay.allCases)
    /// The browser that asks for a session at the sign-in page; `nil` for a client.
    var browser: BrowserSignInTerms?
    /// The identifier, where the request was shown before it is stored; `nil` for a new one.
    var id: SignInRequest.ID?
    /// The time to decide and redeem it, in seconds; `nil` for the time that the client is registered for.
    var lifetime: TimeInterval?
    /// The program that will act for the person; `nil` for a screen or app of theirs.
    var service: GuestService?

    /// The address of the screen that is to be signed in.
    enum ScreenAddress: Sendable {
        /// The request comes from there.
        case sender
        /// A server asks for it, and says this; `nil` when it does not say.
        case named(String?)
    }

    /// The keys that count the request.
    var rateKeys: [RateLimitKey] {
        SignInStartService.rateKeys(client, isOfVisitor ? .asserted : provenance, from: address)
    }

    /// The terms for approving the request, which is made at `now`.
    func terms(under policy: Policy, at now: Date) -> ApprovalTerms {
        var demands = policy.demands(of: scope, by: client).reaching(classes)
        demands.authenticatedAfter = maxAge.map { now - TimeInterval(min($0, StepUpChallenge.longestAge)) }
        return ApprovalTerms(link: client.linkApproval, showsNumber: showsNumber, demands: demands)
    }

    /// The ways of the request that can meet its demands.
    func ways(under policy: Policy) -> Set<SignInWay> {
        let demands = policy.demands(of: scope, by: client).reaching(classes)
        var able = demands.ways.intersection(ways)
        if demands.contains(.number) || demands.classes == [.number] {
            if !showsNumber { able.remove(.code) }
            if !showsNumber, !client.backchannel.showsNumber { able.remove(.push) }
        }
        return able
    }

    /// The method of a request that any person with its user code may take.
    func method(under userCode: UserCodeDigest) -> SignInMethod {
        browser.map { .browserSession(userCode, $0) }
            ?? .deviceCode(userCode, nearby: nearbyChallenge, browser: browserReturn)
    }

    private var screenAddress: Fact<String>? {
        switch screen {
        case .sender: address.map { .observed($0) }
        case .named(let text): text.map { .asserted($0) }
        }
    }

    /// The claims of an ID token that a screen got for a person.
    struct ScreenHint: Sendable {
        let subject: Subject
        /// The screen where they chose to be remembered.
        let screen: RememberedScreenID
    }

    /// The screen that asks, if its person is remembered there; `nil` for none, and for a person who is locked.
    func rememberedScreen(in repositories: any Repositories) throws -> RememberedScreen? {
        guard let screenHint, try repositories.people.find(screenHint.subject)?.isActive == true else { return nil }
        return try RememberedScreens(repositories).find(screenHint.screen, of: screenHint.subject, at: client.id)
    }

    /// The request for sign-in that is stored.
    func request(id: SignInRequest.ID, addressedTo addressee: Subject?, at now: Date) -> SignInRequest {
        let end = now + (lifetime ?? client.lifetimes.code)
        var request = SignInRequest(
            id: id,
            client: Fact(client.id, provenance),
            scope: .verified(scope),
            domain: domain.map { .verified($0) },
            addressee: addressee,
            address: screenAddress,
            deviceName: deviceName.map { .asserted($0) },
            software: software.map { .asserted($0) },
            asked: .observed(now),
            // Devices are told whole seconds: what they show as open is open here, and what they show as over is over.
            deadline: addressee == nil ? end : Date(named: end.numericDate)
        )
        request.service = service.map { .asserted($0) }
        return request
    }
}

/// A request that was started.
struct StartedSignIn: Sendable {
    /// The way of the request to the person who decides.
    enum Way: Sendable {
        /// By the code that the screen shows; only to the person whose code was typed there, if one was.
        case code(UserCode)
        /// It waits on the pages of the person who owns the device.
        case confirmation
        /// It is approved already.
        case automatic
    }

    let deviceCode: DeviceCode
    let way: Way
    /// The mark of the link, for a screen that shows a new one each minute.
    let link: LinkMark?
    /// The ways to the person that can lead to an approval.
    let ways: Set<SignInWay>
    /// Whether the person whom the screen named is remembered there.
    var isRemembered = false
    /// The time to decide and redeem it, in seconds.
    let lifetime: TimeInterval
}

/// The outcome of starting a request.
enum SignInStartOutcome: StartOutcome {
    case started(StartedSignIn)
    /// Policy does not allow the client to ask.
    case refused(Policy.ViolationError)
    /// There is no such domain.
    case unknownDomain
    /// The person's code that was typed on the screen is wrong, used or expired.
    case wrongPersonCode
    /// All user codes that were drawn are in use.
    case noFreeCode
}

/// Internal error: a request was started in another way than its endpoint asked for.
struct UnexpectedStartError: Error {}
