internal import Countersign
internal import CountersignNearby
internal import CountersignRequester

/// Looks for phones nearby for as long as a sign-in shows a code, beside that code.
struct NearbySearch: Sendable {
    let settings: NearbySettings
    let discovery: any Discovery
    let remembers: Bool
    let nearby: NearbySignIn
    let display: any SignInDisplay

    /// Follows a sign-in to its end: each code is asked for anew.
    func run(along events: SignInEvents) async {
        var attempt: Task<Void, Never>?
        for await event in events {
            switch event {
            case .invitation:
                attempt?.cancel()
                await attempt?.value
                attempt = Task { await self.attempt() }
            case .confirming, .signedIn, .failed:
                attempt?.cancel()
            case .discovering, .waiting, .trouble:
                break
            }
        }
        attempt?.cancel()
        await attempt?.value
    }

    private func attempt() async {
        guard let request = nearby.request else { return }
        let channel = NearbyChannel(settings, discovery: discovery)
        let screen = TerminalScreen(channel: channel, nearby: nearby, display: display)
        let result = await channel.signIn(NearbyWish(.server(request), remembers: remembers), on: screen)
        await display.tell(.ended(result))
    }
}

/// The screen of a terminal, to which phones nearby are shown.
private struct TerminalScreen: NearbyScreen {
    let channel: NearbyChannel
    let nearby: NearbySignIn
    let display: any SignInDisplay

    func show(_ approvers: [NearbyApprover]) async {
        await display.tell(.found(approvers))
        guard approvers.count > 1, Terminal.givesInput else { return }
        // Asked on the side, so that the search goes on; the next list of phones asks again.
        Task {
            let names = approvers.enumerated().map { "\($0.offset + 1) \($0.element.shownName)" }.joined(separator: ", ")
            guard let answer = await TypedLines.standard.answer(to: "Which one? (\(names)) "),
                let number = Int(answer), approvers.indices.contains(number - 1)
            else { return }
            channel.choose(approvers[number - 1].id)
        }
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        await display.tell(.code(code, approver))
    }

    func takeCodeAway() async {
        await display.tell(.codeIsOver)
    }

    func tell(_ news: NearbyNews, of approver: NearbyApprover) async {
        await display.tell(.news(news, approver))
        if case .missed(let left) = news, left > 0 { channel.tryAgain() }
    }

    func prepareRequest(over link: NearbyLinkID) async {
        nearby.asked(over: link)
    }
}
