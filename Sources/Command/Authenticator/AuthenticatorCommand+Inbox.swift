internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire
internal import Foundation

/// A request as it is printed.
struct PrintedRequest: Encodable {
    let id: String
    let kind: String
    let account: String
    let client: String
    let name: String
    let environment: String?
    let message: String?
    let address: String?
    let place: String?
    let asked: Date
    let expires: Date
    let digits: Int?
    let code: String?

    init(_ shown: ShownAuthenticationRequest) {
        id = shown.id.rawValue
        kind = shown.kind.rawValue
        account = shown.accountName
        client = shown.client.value.rawValue
        name = shown.clientName.value
        environment = shown.environment?.name
        message = shown.message?.value
        address = shown.address?.value
        place = shown.placeName
        asked = shown.asked.value
        expires = shown.deadline
        digits = shown.numberDigits
        code = shown.pin
    }

    /// The request in lines for a person.
    var lines: [String] {
        var lines = ["\(environment ?? name) wants you to sign in as \(account).", "  id:     \(id)"]
        if let message { lines.append("  about:  \(message)") }
        if let address { lines.append("  from:   \([address, place].compactMap(\.self).joined(separator: ", "))") }
        lines.append("  asked:  \(asked.formatted(date: .omitted, time: .standard))")
        lines.append("  until:  \(expires.formatted(date: .omitted, time: .standard))")
        if let code { lines.append("  code:   \(code) (type it at the other screen)") }
        if let digits { lines.append("  number: \(digits) digits, which the other screen shows") }
        return lines.map(\.shown)
    }
}

extension AuthenticatorCommand {
    /// `countersign authenticator inbox`
    struct Inbox: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what waits for you.",
            discussion: """
                With --wait it goes on showing what comes, until Ctrl-C; a person at a terminal answers there: "y", "n", or the \
                number that the other screen shows. With --desktop notifications with buttons come, too. With --json each \
                line is an object with the member "event": arrived, withdrawn, expired, answered, temporary_failure or ended.
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        @Flag(name: .long, help: "Wait for more.")
        var wait = false

        @Flag(name: .long, help: "Show notifications on this desktop, with buttons; with --wait.")
        var desktop = false

        func run() async throws {
            try await approving {
                let terminal = try await options.terminal()
                guard wait else { return try await list(terminal.authenticator) }
                if desktop { return try await notify(terminal.authenticator) }
                let watch = InboxWatch(
                    authenticator: terminal.authenticator, printsJSON: options.json,
                    asks: !options.json && Terminal.givesInput)
                try await untilInterrupted { try await watch.run() }
            }
        }

        private func list(_ authenticator: Authenticator) async throws {
            var requests: [PrintedRequest] = []
            for waiting in try await authenticator.waitingRequests() {
                do throws(ApprovalError) {
                    requests.append(PrintedRequest(try await authenticator.look(at: waiting.id)))
                } catch {
                    // It was answered in between.
                    guard error.code == .nothingToDecide else { throw error }
                }
            }
            let text = requests.flatMap(\.lines).joined(separator: "\n")
            try options.print(requests, or: requests.isEmpty ? "Nothing waits for you." : text)
        }

        private func notify(_ authenticator: Authenticator) async throws {
            #if SecretService && os(Linux)
            let presenter = DesktopNotifications(of: "Countersign", clock: .system)
            let registration = NotificationRegistration(with: presenter)
            guard try await registration.register() else {
                throw Failure("The notifications of this desktop have no buttons. Leave out --desktop.")
            }
            let notifier = RequestNotifier(for: authenticator, with: registration, presenting: presenter) { outcome in
                switch outcome {
                case .answered(let id, let isApproved):
                    Terminal.say("\(id): \(isApproved ? "approved" : "denied")".shown)
                case .openApp(let request): for line in PrintedRequest(request).lines { Terminal.say(line) }
                case .failed(_, let error), .ended(let error): Terminal.complain(error.sentence)
                case .openScanner, .arrived: break
                }
            }
            try await untilInterrupted { await notifier.run() }
            #else
            throw Failure("This build shows no notifications. Build it with --traits SecretService.", status: .usage)
            #endif
        }
    }
}

/// Shows what happens in an inbox, and asks a person who can answer.
struct InboxWatch: Sendable {
    let authenticator: Authenticator
    let printsJSON: Bool
    /// Whether the person at the terminal is asked.
    let asks: Bool

    /// An event as a line of JSON.
    private struct Line: Encodable {
        let event: String
        var id: String?
        var request: PrintedRequest?
        var answer: String?
        var reason: String?
    }

    /// Shows events until the task is cancelled.
    func run() async throws {
        for await event in authenticator.requests() {
            switch event {
            case .arrived(let request): try await arrived(request)
            case .withdrawn(let request):
                try say(
                    Line(event: "withdrawn", id: request.id.rawValue), or: "\(request.id) was answered or taken back.")
            case .expired(let request):
                try say(Line(event: "expired", id: request.id.rawValue), or: "The time of \(request.id) is over.")
            case .temporaryFailure(let error, let pause):
                let seconds = pause.components.seconds
                try say(
                    Line(event: "temporary_failure", reason: error.code.word),
                    or: "\(error.sentence) Again in \(seconds) s."
                )
            case .ended(let error):
                try say(Line(event: "ended", reason: error.code.word), or: nil)
                throw error
            }
        }
    }

    private func arrived(_ request: WaitingRequest) async throws {
        let shown: ShownAuthenticationRequest
        do throws(ApprovalError) {
            shown = try await authenticator.look(at: request.id)
        } catch {
            if error.code != .nothingToDecide { Terminal.complain(error.sentence) }
            return
        }
        let printed = PrintedRequest(shown)
        try say(Line(event: "arrived", id: printed.id, request: printed), or: printed.lines.joined(separator: "\n"))
        guard asks, shown.kind == .instant else { return }
        guard let answer = await answered(shown) else { return }
        let word = answer == .deny ? "denied" : "approved"
        try say(Line(event: "answered", id: printed.id, answer: word), or: "It is \(word).")
    }

    /// Asks the person, and tells the server what they say; after a wrong number they are asked again. `nil` when
    /// nothing was decided.
    private func answered(_ first: ShownAuthenticationRequest) async -> RequestAnswer? {
        var shown = first
        while let answer = await answer(digits: shown.numberDigits) {
            do throws(ApprovalError) {
                try await authenticator.answer(answer, to: shown)
                return answer
            } catch {
                Terminal.complain(error.sentence)
                guard error.code == .wrongNumber, let again = try? await authenticator.look(at: shown.id) else { break }
                shown = again
            }
        }
        return nil
    }

    /// Asks the person until they answer in one of the ways that the question names; `nil` when they end the line
    /// without a word, or the input.
    ///
    /// - Parameter digits: How many digits of the other screen an approval takes; `nil` for none.
    private func answer(digits: Int?) async -> RequestAnswer? {
        let question = digits == nil ? "Approve? [y/n] " : "Number, or n: "
        while let typed = await TypedLines.standard.answer(to: question)?.lowercased(), !typed.isEmpty {
            if let answer = RequestAnswer(typed: typed, digits: digits) { return answer }
            let reminder = digits.map { "Please type the \($0) digits of the other screen, or n." }
            Terminal.prompt("\(reminder ?? "Please type yes or no.")\n")
        }
        return nil
    }

    private func say(_ line: Line, or text: String?) throws {
        guard printsJSON else {
            if let text { Terminal.say(text.split(separator: "\n").map { String($0).shown }.joined(separator: "\n")) }
            return
        }
        try Terminal.sayJSON(line, inOneLine: true)
    }
}

extension RequestAnswer {
    /// What a person typed, in lower case; `nil` when it is none of the answers.
    ///
    /// - Parameter digits: How many digits of the other screen an approval takes; `nil` for none, when only a yes
    ///   approves.
    init?(typed: String, digits: Int?) {
        switch (typed, digits) {
        case ("n", _), ("no", _): self = .deny
        case ("y", nil), ("yes", nil): self = .approve()
        case (_, let digits?) where typed.compactMap(TypedDigits.digit).count == digits: self = .approve(number: typed)
        default: return nil
        }
    }
}

extension ApprovalError.Code {
    /// What it is called in lines of JSON; where a sign-in can fail so too, by the same word.
    fileprivate var word: String {
        self == .unreachable ? "not_reachable" : rawValue.replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
    }
}
