internal import Countersign
internal import CountersignRequester
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire

/// A backend that names a person, who is asked in the inbox of their phone and on the pages (CIBA).
enum BackchannelWay: HomeOccasion {
    static let acts = [
        HomeAct("desk.asks", weight: 4) { home, choice in
            guard let person = choice.person() else { return nil }
            let signIn = try await ask(for: person, in: home)
            return signIn.map { "\($0.label) asks \(person)" } ?? "no request"
        }
    ]

    static let stories = [
        ["desk.asks", "phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens,
        ["desk.asks", "person.looks"] + CodeWay.page + BrowserActs.decision + CodeWay.tokens,
    ]

    private static let desk = HomeScreen(name: "Help desk", client: .desk)

    /// Asks a person; returns `nil` when no request started.
    static func ask(
        for person: HomePerson, demanding wanted: AuthenticationClass? = nil, in home: isolated Home
    ) async throws -> RunningSignIn? {
        let scope = Scope([.openid, HomeClient.play])
        var asked = BackchannelAuthenticationRequest(for: .login(person.rawValue), scope: scope)
        asked.acrValues = wanted.map { [$0.rawValue] } ?? []
        let request = HomeRequest("/bc-authorize", asked.form.with(desk.client.credentials), from: desk.address)
        guard case .success(let answer) = try await home.send(request, by: .screen(desk)), answer.response.status == .ok
        else { return nil }
        let response = try answer.decoded(BackchannelAuthenticationResponse.self)
        let machine = try PolledSignIn(
            for: DeviceCode(revealing: response.request.revealed),
            expiresIn: response.expiresIn,
            interval: response.interval ?? BackchannelAuthenticationResponse.standardInterval,
            at: home.clock.moment
        )
        let signIn = home.begin("back channel", at: desk, .polling(machine, .backchannel(response.request)))
        signIn.requestCode = response.request.digest
        return signIn
    }
}
