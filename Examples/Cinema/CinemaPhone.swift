import CountersignNearby

/// The app on the phone, which is signed in at the cinema.
struct CinemaPhone: NearbyListenerDelegate {
    let box: TicketBox
    let session: String

    func run(on interfaces: InterfaceSelection) async throws {
        let listener = NearbyListener(
            try Cinema.settings(calling: "Anna's phone"),
            approval: self,
            discovery: try LocalNetwork.discovery(on: interfaces),
            configuration: NearbyListenerConfiguration(interfaces: interfaces, instanceName: "Anna's phone")
        )
        _ = await listener.openWindow()
        try await listener.run { _ in Cinema.say("Screens nearby can ask now.") }
    }

    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
        Cinema.say("A screen that calls itself ‘\(prompt.name.value.shown)’ wants to be signed in.")
        return await typed("Is it in front of you, and did you ask for this? [yes/no] ") == "yes" ? .seen : .notNow
    }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        await typed("The six digits on that screen: ").flatMap { CodeSpace.standard.code(typed: $0) }
    }

    func missed(_ prompt: NearbyPrompt) async {
        Cinema.say("Not the digits that screen shows.")
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        guard case .bytes(let purpose) = request.request.value else { return .refuse(.serverRefused) }
        guard await typed("Let it \(purpose.shown)? [yes/no] ") == "yes" else { return .decline }
        // Made now, for this screen, and good once: never hand over what the phone itself is signed in with.
        guard let ticket = try? await box.ticket(for: session) else {
            Cinema.say("The cinema gives this phone no ticket.")
            return .refuse(.serverRefused)
        }
        Cinema.say("It has a ticket.")
        return .approve(.bytes(Array(ticket.utf8)), pairs: false)
    }

    private func typed(_ question: String) async -> String? {
        Cinema.say(question)
        return await Cinema.typed()
    }
}
