import CountersignNearby

/// The examples in the documentation of nearby sign-in, word for word: `Scripts/check-examples.py` compares them. They
/// need a network and a person, so they are compiled only.
struct NearbyExamples {
    func settings(calling name: String, in directory: String) -> NearbySettings? {
        guard let app = NearbyAppID("net.example.player"), let name = PeerName(cutting: name) else { return nil }
        return NearbySettings(
            app: app,
            name: name,
            pairings: FilePairingStore(path: "\(directory)/nearby-pairings"),
            clock: .system,
            random: .system
        )
    }

    struct PlayerScreen: NearbyRequesterDelegate {
        let requester: NearbyRequester

        func show(_ approvers: [NearbyApprover]) async {
            // When the person picks one: requester.choose(approver.id)
            for approver in approvers { print("Nearby: \(approver.shown)") }
        }

        func show(_ code: LinkCode, for approver: NearbyApprover) async {
            // When the person goes back: requester.goBack()
            print("Type \(code.shown) in the app on \(approver.shown).")
        }

        func takeCodeAway() async {
            print("The code is over.")
        }

        func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
            switch progress {
            case .asking: print("Look at \(approver.shown).")
            case .busy: print("\(approver.shown) is busy and will be asked again.")
            case .waiting(let place): print("Screens that are served first: \(place)")
            // When the person wants another code: requester.tryAgain()
            case .missed(let codesLeft): print("That did not work; \(codesLeft) more codes.")
            case .askedForDecision: print("Approve on \(approver.shown).")
            case .ended(let failure): print("\(approver.shown) is out: \(failure)")
            }
        }
    }

    func signIn(with settings: NearbySettings) async throws {
        guard let purpose = NearbyPurpose("play films in your name") else { return }
        let requester = NearbyRequester(settings, discovery: try LocalNetwork.discovery())
        let options = NearbySignInOptions(.bytes(purpose: purpose), pairs: true)
        switch await requester.signIn(options, on: PlayerScreen(requester: requester)) {
        case .granted(let granted):
            switch granted.grant {
            case .bytes(let ticket): print("\(granted.approver.shown) gave \(ticket.count) bytes.")
            case .atServer: print("\(granted.approver.shown) has approved at a server, which was not asked for.")
            }
        case .declined(let name): print("\(name?.shown ?? "The phone") said no.")
        case .missesUsedUp: print("Too many codes went wrong.")
        case .failed(let failure): print("It did not work: \(failure)")
        case .timedOut, .stopped: break
        }
    }

    struct PlayerPhone: NearbyListenerDelegate {
        /// Shows a question, and returns what the person answers.
        let ask: @Sendable (String) async -> String
        let tell: @Sendable (String) -> Void
        /// Makes a ticket that is good once.
        let makeTicket: @Sendable () async -> [UInt8]?
        /// Whether the person has switched on that screens are paired.
        let pairs: Bool

        func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
            let name = prompt.name.value.shown
            tell("A screen that calls itself \(name), at \(prompt.address.value), wants to be signed in.")
            if let warning = prompt.warning { tell(warning) }
            return await ask("Is it in front of you, and did you ask for this?") == "yes" ? .seen : .notNow
        }

        func digits(for prompt: NearbyPrompt) async -> LinkCode? {
            let typed = await ask("The six digits on it? Nobody will ever read them to you; if someone does, stop.")
            return CodeSpace.standard.code(typed: typed)
        }

        func missed(_ prompt: NearbyPrompt) async {
            tell("Not the code that screen shows. If you typed it right, someone may be in between.")
        }

        func decide(_ request: ReceivedRequest) async -> NearbyDecision {
            guard case .bytes(let purpose) = request.request.value else { return .refuse(.serverRefused) }
            guard await ask("Let \(request.name.value.shown) \(purpose.shown)?") == "yes" else { return .decline }
            guard let ticket = await makeTicket() else { return .refuse(.serverRefused) }
            return .approve(.bytes(ticket), pairs: pairs)
        }
    }

    func listen(_ phone: PlayerPhone, with settings: NearbySettings) async throws {
        let listener = NearbyListener(
            settings,
            approval: phone,
            discovery: try LocalNetwork.discovery(),
            configuration: NearbyListenerConfiguration(instanceName: "Anna's phone")
        )
        async let running: Void = listener.run()
        _ = await listener.openWindow()
        try await running
    }

    func listening(
        _ settings: NearbySettings,
        _ app: any NearbyListenerDelegate,
        _ discovery: any Discovery
    ) async throws {
        let listener = NearbyListener(settings, approval: app, discovery: discovery)
        async let running: Void = listener.run()
        _ = await listener.openWindow()  // the person opens "sign in a screen"
        try await running
    }

    func asking(
        _ settings: NearbySettings,
        _ purpose: NearbyPurpose,
        _ screen: any NearbyRequesterDelegate,
        _ discovery: any Discovery
    ) async {
        let requester = NearbyRequester(settings, discovery: discovery)
        let result = await requester.signIn(NearbySignInOptions(.bytes(purpose: purpose)), on: screen)
        _ = result
    }

    func overview(
        _ settings: NearbySettings,
        _ purpose: NearbyPurpose,
        _ screen: any NearbyRequesterDelegate,
        _ phone: any NearbyListenerDelegate
    ) async throws {
        // On the screen.
        let requester = NearbyRequester(settings, discovery: try LocalNetwork.discovery())
        let result = await requester.signIn(NearbySignInOptions(.bytes(purpose: purpose)), on: screen)

        // On the phone.
        let listener = NearbyListener(settings, approval: phone, discovery: try LocalNetwork.discovery())
        _ = await listener.openWindow()  // the person opens "sign in a screen"
        try await listener.run()
        _ = result
    }
}

struct Phone: NearbyListenerDelegate {
    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
        await ask("Is ‘\(prompt.name.value.shown)’ in front of you?") ? .seen : .notNow
    }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        CodeSpace.standard.code(typed: await read("The six digits on that screen"))
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        await ask("Approve?") ? .approve(.bytes(ticket), pairs: false) : .decline
    }
}

struct Screen: NearbyRequesterDelegate {
    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        await draw("Type \(code.shown) in the app on ‘\(approver.shown)’.")
    }

    func takeCodeAway() async { await draw("") }
}

private let ticket: [UInt8] = []
private func ask(_ question: String) async -> Bool { false }
private func read(_ question: String) async -> String { "" }
private func draw(_ line: String) async {}
