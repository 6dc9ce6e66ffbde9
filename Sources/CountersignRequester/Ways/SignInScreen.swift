internal import Countersign
public import CountersignNearby
internal import FoundationEssentialsCompat
internal import MulticastDNS

/// The screen that signs in: its name, what it can do, and what it holds.
///
/// ```swift
/// var screen = SignInScreen.system
/// screen.name = "Living room TV"
/// screen.store = SealedFileTokenStore(directory: "/var/lib/tv/tokens")
/// ```
///
/// ``system`` states what this system can do. A screen of its own initializer shows a code, and nothing else, until its
/// members say more.
public struct SignInScreen: Sendable {
    /// The screen's name, which the approving person sees; cut to what fits a line. `nil` for none.
    public var name: String?
    /// The browser of this device; `nil` when there is none.
    public var browser: (any SignInBrowser)?
    /// The search for phones on the local network; `nil` when there is none.
    public var nearby: NearbySearch?
    /// The person who is remembered on this screen, as ``CompletedSignIn/rememberedPerson``; `nil` when nobody is.
    public var rememberedPerson: RememberedPerson?
    /// Proofs to present before a person is asked, the first one first.
    public var proofs: [SignInProof] = []
    /// The store of the tokens, which are stored before the sign-in ends; `nil` keeps them nowhere.
    public var store: (any TokenStore)?

    /// A screen that shows a code, by default without a name and without a store.
    public init(name: String? = nil, keepingTokensIn store: (any TokenStore)? = nil) {
        self.name = name
        self.store = store
    }

    /// This device by the name of its host, with the abilities of its system: the browser of a desktop that is not used
    /// over ssh, and on Linux the search for phones nearby. On Apple's systems an app declares that search in its
    /// `Info.plist`, and sets ``nearby`` itself.
    public static var system: SignInScreen {
        var screen = SignInScreen(name: ProcessInfo.processInfo.hostName)
        let hasDesktop = DesktopSession.current.isInFrontOfPerson
        #if os(Linux)
        if hasDesktop { screen.browser = LoopbackBrowser(opening: XDGOpener()) }
        screen.nearby = NearbySearch(named: ProcessInfo.processInfo.hostName)
        #elseif os(macOS)
        if hasDesktop { screen.browser = LoopbackBrowser(opening: WorkspaceOpener()) }
        #endif
        return screen
    }

    /// The ways that this screen can take.
    var ways: Set<SignInWay> {
        var ways: Set<SignInWay> = [.code]
        if browser != nil { ways.insert(.browser) }
        if nearby != nil { ways.insert(.nearby) }
        if rememberedPerson != nil { ways.insert(.push) }
        return ways
    }
}

/// The search for phones nearby that may approve: the settings of this screen on the local network.
public struct NearbySearch: Sendable {
    /// The app, this screen's name there, and the phones that it is paired with.
    public var settings: NearbySettings
    /// Finds the phones.
    public var discovery: any Discovery
    /// Whether the person at the screen wants to pair with the approving phone; `false` by default.
    public var pairs: Bool

    /// A search on the local network.
    public init(_ settings: NearbySettings, by discovery: any Discovery, pairs: Bool = false) {
        self.settings = settings
        self.discovery = discovery
        self.pairs = pairs
    }

    /// The search of a screen that is paired with no phones, for the apps that go by `countersign` on the network; `nil` where
    /// there is no network to search.
    init?(named name: String) {
        guard let app = NearbyAppID("countersign"), let name = PeerName(cutting: name),
            let discovery = try? LocalNetwork.discovery()
        else { return nil }
        let settings = NearbySettings(
            app: app, name: name, pairings: MemoryPairingStore(), clock: .system, random: .system)
        self.init(settings, by: discovery)
    }
}
