public import Countersign
public import CountersignWire

/// The choices for a sign-in.
///
/// ```swift
/// var options = SignInOptions()
/// options.renewals = 2  // A code that expired is replaced twice.
/// ```
public struct SignInOptions: Sendable, Equatable {
    /// The ways to take; `nil`, the default, for all that the screen can take. A way that it cannot take ends the sign-in
    /// with `way_unusable`; one that the server does not have is left out.
    public var ways: Set<SignInWay>?
    /// The time that stronger ways run before the code is shown; 3 s by default. Without a stronger way it is shown at
    /// once.
    public var codeDelay = Duration.seconds(3)
    /// The maximum number of times that an expired code is replaced by a new one; 0, the default, ends the sign-in with
    /// its first code.
    public var renewals = 0
    /// The time that the server is requested to hold a request open, so that an answer arrives as soon as there is one;
    /// 30 s by default, `nil` asks at intervals only. A server that does not know the preference ignores it.
    ///
    /// Standard: RFC 7240 §4.3.
    public var wait: WaitPreference? = WaitPreference(seconds: 30)
    /// The time limit of one request, without the time that the server holds it open; 15 s by default.
    public var timeLimit = Duration.seconds(15)
    /// The number of attempts at each step before there is a code to show, and at a refresh; 4 by default.
    public var attempts = 4
    /// The time limit for revoking each token when the tokens are not wanted; 3 s by default.
    public var revocationLimit = Duration.seconds(3)
    /// Whether a sign-in that is stored in place of an older one ends the older one at the server, so that the person
    /// does not see a device twice; `false` by default.
    ///
    /// Set it only for servers that make each sign-in a separate grant, as Countersign's do. At others, such as
    /// Google's, taking back a token of the older sign-in ends all that the person allowed the app, the new sign-in
    /// too. ``AppToAppSignIn`` and ``BackchannelSignIn`` never end one.
    public var endsReplacedSignIn = false
    /// Whether tokens are bound to a key of this device; never by default.
    ///
    /// Standard: RFC 9449 §5.
    public var binding = TokenBinding.never
    /// Whether the screen shows the number of ``SignInEvent/verificationNumber(_:)``; `true` by default. A person who
    /// opens the link of the request in another network, or is asked by push, then types the number.
    ///
    /// Unset it where such events are not shown: without the number the link cannot be used to approve.
    public var showsNumber = true
    /// Whether the screen shows the link of ``SignInEvent/link(_:)`` in place of the one before, each minute; `true` by
    /// default. Then a link that was passed on soon stops working.
    ///
    /// Unset it where such events are not shown: an older link cannot be used to approve.
    public var renewsLink = true
    /// The classes of authentication that will do, the best first, as a service names them in a
    /// ``CountersignWire/StepUpChallenge``; empty, the default, for any. Sign-ins by code and by another app or the browser
    /// ask for them; a request over the back channel has its own.
    ///
    /// Standard: RFC 9470 §4.
    public var acrValues: [String] = []
    /// The greatest age of the person's authentication, in seconds, as a service names it in a
    /// ``CountersignWire/StepUpChallenge``; `nil`, the default, for any. Sign-ins by code ask for it.
    ///
    /// Standard: RFC 9470 §4; OpenID Connect Core 1.0 §3.1.2.1 (`max_age`).
    public var maxAge: Int?
    /// The code that the person typed on this screen, after they got it where they are signed in; `nil`, the default, for
    /// none. The request is then for that person alone, who answers where the code was shown: there is
    /// ``SignInEvent/codeAccepted`` in place of an ``SignInEvent/invitation(_:)``, and no renewal, because the code works
    /// once.
    public var personCode: PersonCode?
    /// The program that will act for the person who approves, for a purpose and until an end; `nil`, the default, for a
    /// screen or app of theirs. Its tokens are stored apart from those of the app, under its purpose: a ``TokenRefresher``
    /// finds them by options with the same one, whatever the end.
    ///
    /// The person sees both, and may shorten the time: ``CompletedSignIn/ends`` has the end. A server that knows no services
    /// is the error `flow_not_offered`, before anything is sent to it. ``SignInScreen/proofs`` are not presented.
    public var service: GuestService?
    /// Whether plain http to other machines is allowed, which lets everyone on the network path read and change
    /// everything; `false` by default. Only for tests in closed networks.
    public var allowingInsecureHTTP = false

    /// Creates options that suit a screen on an ordinary network.
    public init() {}

    /// Creates options that ask for what a service has demanded, by the ways that can give it.
    ///
    /// - Parameter challenge: The service's challenge.
    public init(answering challenge: StepUpChallenge) {
        acrValues = challenge.acrValues
        maxAge = challenge.maxAge
    }

    /// Whether they ask for an authentication of a class or age, which stored tokens may not have.
    var demandsMore: Bool { !acrValues.isEmpty || maxAge != nil }

    /// The preference for a number that is sent to the server at the start; `nil` for a screen that shows no number.
    var number: NumberPreference? { showsNumber ? NumberPreference() : nil }

    /// The preferences that announce the screen's capabilities to the server at the start.
    var startPreferences: [String?] { [number?.headerValue, renewsLink ? FreshLinkPreference.headerValue : nil] }

    /// The same for a presentation, which may show neither numbers nor new links; for none, `nil`.
    func shown(by presentation: (any SignInPresentation)?) -> SignInOptions {
        var options = self
        if presentation?.showsNumbers != true { (options.showsNumber, options.renewsLink) = (false, false) }
        return options
    }

    /// The limits of polling.
    var rules: PollingRules { PollingRules(renewals: personCode == nil ? renewals : 0, wait: wait) }
}
