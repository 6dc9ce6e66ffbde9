internal import Countersign
internal import CountersignServer
internal import CountersignSQLite
internal import CountersignStorage
public import CountersignTesting
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A whole home in one process: a real server with a real database in memory, screens, phones, browsers, an attacker,
/// one clock, and a network that loses, delays, repeats and cuts messages.
///
/// ```swift
/// let home = try await Home(seed: 7)
/// let tv = await home.tv("Living room")
/// let signIn = try await home.ask(at: tv)
/// try await home.approve(signIn, as: .anna)
/// let outcome = try await home.outcome(of: signIn)  // .signedIn(.anna)
/// ```
///
/// ``run(_:)`` plays a schedule of events instead, and checks after each of them that nothing is decided twice, nobody
/// is signed in without their decision, and all places show the same outcome. Time passes only here, one request is
/// under way at a time, and everything is drawn from the seed: the same seed, the same run.
public actor Home {
    /// The seed of everything that is drawn.
    public let seed: UInt64
    let ground: HomeGround
    let faults: PlantedFaults
    /// The store as it is, without planted faults.
    let store: any Store
    /// The clock of the server and of all devices, which the methods of the home advance, or a test.
    public nonisolated let clock: ManualClock
    let random: SeededRandom
    let watch = ExchangeWatch()
    var server: HomeServer
    var network = HomeNetwork()
    var ledger = HomeLedger()
    var signIns: [RunningSignIn] = []
    var phones: [HomePerson: ApprovingPhone]
    var browsers: [HomePerson: HomeBrowser]
    /// The promise that a request over a ``transport(of:)`` has broken first; `nil` for none.
    public internal(set) var fault: HomeFault?
    /// The story of the present event.
    var thread = 0
    var trace: [String] = []
    /// Whether a request is under way.
    private var isAnswering = false
    /// The requests of apps that wait until it is answered.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Moves into a new home, whose people are signed in at their browsers and have phones.
    ///
    /// - Throws: ``HomeFault`` when the server does not let people in; errors of the database.
    public init(seed: UInt64) async throws {
        try await self.init(seed: seed, on: try await HomeGround.settle())
    }

    /// Begins a run on a ground, whose earlier runs are undone.
    init(seed: UInt64, on ground: HomeGround, planting faults: PlantedFaults = .none) async throws {
        try ground.store.rewind()
        self.seed = seed
        self.ground = ground
        self.faults = faults
        store = ground.store
        clock = ManualClock(ground.begins)
        random = SeededRandom(seed: seed ^ 0x00D0_0DAD_C0DE_5EED)
        phones = ground.phones
        browsers = Dictionary(
            uniqueKeysWithValues: HomePerson.allCases.map {
                ($0, HomeBrowser(person: $0, cookies: ground.cookies[$0] ?? [:]))
            })
        browsers[.mallory]?.address = HomeAddress.attacker
        server = try await HomeServer(
            ground.settings, keeping: faults.store(ground.store), clock: clock, random: random)
        watch.observe(ground.store)
    }

    /// Returns a screen that shows codes.
    ///
    /// - Parameter name: The name that its person reads when they are asked.
    public func tv(_ name: String) -> HomeScreen { HomeScreen(name: name, client: .tv) }

    /// Returns the phone of a person, which approves by signed decisions.
    ///
    /// - Parameter person: The one whose decisions it signs.
    public func phone(of person: HomePerson) -> HomePhone { HomePhone(person: person) }

    /// Asks for a sign-in at a screen, by a code and by phones nearby.
    ///
    /// - Parameter screen: A screen that shows codes, such as ``tv(_:)`` returns.
    /// - Returns: The sign-in, which waits for a decision.
    /// - Throws: ``HomeFault`` when the server does not start it.
    public func ask(at screen: HomeScreen) async throws -> HomeSignIn {
        guard let signIn = try await CodeWay.ask(at: screen, in: self, forNearby: true) else {
            throw HomeFault(.server, "no code for \(screen.name)")
        }
        return HomeSignIn(number: signIn.number)
    }

    /// Approves a sign-in on the pages, by typing its code.
    ///
    /// - Parameters:
    ///   - signIn: A sign-in that ``ask(at:)`` returned and that waits.
    ///   - person: The person who does it.
    /// - Throws: ``HomeFault`` when the pages lead to no decision.
    public func approve(_ signIn: HomeSignIn, as person: HomePerson) async throws {
        try await answer(signIn, as: person, approving: true)
    }

    /// Denies a sign-in on the pages, after typing its code.
    ///
    /// - Parameters:
    ///   - signIn: A sign-in that ``ask(at:)`` returned and that waits.
    ///   - person: The person who does it.
    /// - Throws: ``HomeFault`` when the pages lead to no decision.
    public func deny(_ signIn: HomeSignIn, as person: HomePerson) async throws {
        try await answer(signIn, as: person, approving: false)
    }

    /// Approves a sign-in on a phone nearby, by a signed decision.
    ///
    /// - Parameters:
    ///   - signIn: A sign-in that ``ask(at:)`` returned and that waits.
    ///   - phone: The phone, which gets the request over a link from the screen.
    /// - Throws: ``HomeFault`` when the server does not take the decision.
    public func approve(_ signIn: HomeSignIn, on phone: HomePhone) async throws {
        _ = NearbyWay.carry(signIns[signIn.number], to: phone.person, in: self)
        _ = try await PhoneActs.look(phone.person, in: self)
        _ = try await PhoneActs.decide(.approve, phone.person, in: self)
        try await check()
    }

    /// Lets a screen give up its sign-in, so that nobody is asked any more.
    ///
    /// - Parameter signIn: A sign-in that ``ask(at:)`` returned, decided or not.
    /// - Throws: ``HomeFault`` when a promise is broken.
    public func giveUp(_ signIn: HomeSignIn) async throws {
        _ = try await GivingUpActs.giveUp(signIns[signIn.number], in: self)
        try await check()
    }

    /// Polls until a sign-in has ended, and lets the time pass that this takes.
    ///
    /// - Parameter signIn: A sign-in that ``ask(at:)`` returned, decided or not.
    /// - Returns: The outcome that its screen shows.
    /// - Throws: ``HomeFault`` when a promise is broken.
    public func outcome(of signIn: HomeSignIn) async throws -> HomeOutcome {
        let running = signIns[signIn.number]
        var attempts = 0
        while running.isWaiting, attempts < 1_000 {
            attempts += 1
            try await goOn(running)
            if running.isWaiting { clock.advance(by: .seconds(5)) }
        }
        try await check()
        return running.outcome
    }

    /// Does something while no other request is under way.
    func alone<Success>(_ work: () async throws -> Success) async throws -> Success {
        if isAnswering { await withCheckedContinuation { waiting.append($0) } }
        isAnswering = true
        defer {
            isAnswering = !waiting.isEmpty
            if isAnswering { waiting.removeFirst().resume() }
        }
        return try await work()
    }

    private func answer(_ signIn: HomeSignIn, as person: HomePerson, approving: Bool) async throws {
        browsers[person]?.errand = signIn.number
        _ = try await BrowserActs.open("/activate", person, in: self)
        for _ in 0..<8 {
            guard case let view? = browsers[person]?.view, !BrowserActs.isDone(view) else { break }
            _ = try await BrowserActs.goOn(person, approving: approving, in: self)
        }
        try await check()
    }
}
