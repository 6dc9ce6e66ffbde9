internal import Countersign
internal import CountersignRequester
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// A screen that shows a code and a link (RFC 8628).
enum CodeWay: HomeOccasion {
    static let acts = [
        HomeAct("tv.asks", weight: 6) { home, choice in
            guard let screen = choice.any(screens) else { return nil }
            let scope: Scope = choice.happens(10) ? Scope([HomeClient.vault]) : Scope([HomeClient.play])
            let signIn = try await ask(at: screen, in: home, for: scope, forNearby: choice.happens(90))
            return signIn.map { "\($0.label) shows a code" } ?? "no code"
        },
        HomeAct("screen.goesOn", weight: 16) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter(\.isWaiting)) else { return nil }
            home.rest(signIn)
            return try await home.goOn(signIn)
        },
    ]

    static let stories = [
        ["tv.asks", "person.typesCode"] + page + BrowserActs.decision + tokens,
        ["tv.asks", "person.opensLink"] + page + ["screen.goesOn"] + BrowserActs.decision + tokens,
    ]

    /// The steps to the page that asks.
    static let page = ["person.goesOn", "person.goesOn"]
    /// The steps of a screen once somebody decided.
    static let tokens = ["screen.goesOn", "screen.goesOn", "screen.refreshes", "service.asks", "screen.refreshes"]

    private static let screens = [
        HomeScreen(name: "Living room", client: .tv), HomeScreen(name: "Kitchen", client: .tv),
    ]

    /// Asks for a code; returns `nil` when none came.
    ///
    /// - Parameters:
    ///   - way: The way in, for the trace.
    ///   - prefersNumber: Whether the screen shows numbers.
    ///   - adding: Adds to the request.
    static func ask(
        at screen: HomeScreen,
        in home: isolated Home,
        for scope: Scope = Scope([HomeClient.play]),
        forNearby isForNearby: Bool = false,
        way: String = "code",
        showingNumber prefersNumber: Bool = true,
        adding: (inout DeviceAuthorizationRequest) -> Void = { _ in }
    ) async throws -> RunningSignIn? {
        let verifier = isForNearby ? NearbyVerifier(drawingFrom: home.random.source) : nil
        var asked = DeviceAuthorizationRequest(
            scope: scope, deviceName: screen.name, nearbyChallenge: verifier?.challenge)
        adding(&asked)
        var fields: HTTPFields = [:]
        if prefersNumber, let prefer = HTTPField.Name("Prefer") { fields[prefer] = NumberPreference().headerValue }
        let request = HomeRequest(
            "/device_authorization", asked.form.with(screen.client.credentials), fields: fields, from: screen.address)
        let party: HomeParty = screen.isAttackers ? .attacker : .screen(screen)
        guard case .success(let answer) = try await home.send(request, by: party), answer.response.status == .ok
        else { return nil }
        let codes = try answer.decoded(DeviceAuthorizationResponse.self)
        let machine = try PolledSignIn(
            for: codes.deviceCode, expiresIn: codes.expiresIn, interval: codes.interval, at: home.clock.moment)
        let signIn = home.begin(way, at: screen, .polling(machine, .device(codes.deviceCode)))
        signIn.codes = codes
        signIn.requestCode = codes.deviceCode.digest
        signIn.verifier = verifier
        signIn.browserReturn = codes.browserURI == nil ? nil : asked.browserReturn
        return signIn
    }
}
