import CountersignApprover
import CountersignRequester
import Foundation

/// A whole authenticator in a terminal. The QR code comes from a picture, as a camera would give it:
///
///     swift run Authenticator phone code.png            # enrols this terminal, or registers it in the site of the code
///     swift run Authenticator phone code.png watch      # and answers what comes
///     swift run Authenticator phone https://SERVER check     # as an app at its start, and whenever it comes to the front
///     swift run Authenticator phone https://SERVER push      # takes push messages from standard input, one JSON a line
///
/// The first word is the client as which the server knows this app. What it keeps is sealed in a directory, which
/// `in=DIRECTORY` names. Pictures are read by `zbarimg`.
@main
struct AuthenticatorApp {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let (issuer, ticket) = start(words[1]) else {
            print("Usage: Authenticator CLIENT PICTURE|SERVER [watch] [check] [push] [foreground] [in=DIRECTORY]")
            exit(64)
        }
        let place = words.first { $0.hasPrefix("in=") }.map { String($0.dropFirst(3)) }
        let directory = place ?? "\(NSHomeDirectory())/.local/share/countersign-authenticator"
        let phone = Phone(at: issuer, as: ClientID(words[0]), keepingEverythingIn: directory)
        do {
            if let ticket { try await phone.scanned(ticket) }
            if words.contains("check") { await phone.check() }
            if words.contains("push") { try await phone.takePushes(inForeground: words.contains("foreground")) }
            if words.contains("watch") { await phone.watch() }
        } catch {
            print("It did not work: \(error)")
            exit(1)
        }
    }

    /// The server that a person names, or the one of the code in a picture, with its ticket.
    static func start(_ word: String) -> (Issuer, EnrollmentTicket?)? {
        if let named = try? Issuer(word) { return (named, nil) }
        guard let scanned = QRCodePicture.text(in: word),
            case .ticket(issuer: let server, let ticket)? = CustomerSiteInvitation(scanned),
            let issuer = try? Issuer(server)
        else { return nil }
        return (issuer, ticket)
    }
}

/// This terminal as a phone.
struct Phone {
    let store: SealedFileTokenStore
    let key: TokenStoreKey
    let signIn: TicketSignIn
    let approver: Approver

    init(at issuer: Issuer, as client: ClientID, keepingEverythingIn directory: String) {
        store = SealedFileTokenStore(directory: directory)
        key = .signIn(at: issuer, as: client)
        signIn = TicketSignIn(at: issuer, as: client, keepingTokensIn: store)
        let refresher = TokenRefresher(at: issuer, as: client, keepingTokensIn: store)
        let items = TokenStoreAuthenticatorItems(in: store)
        let keys = TokenStoreApproverKeys(in: store, drawingFrom: .system)
        var details = DeviceDetails()
        details.platform = "Linux"
        approver = Approver(
            for: ApproverAccount(
                id: ApproverAccount.ID("me"), issuer: issuer,
                authorizing: { try await refresher.authorized($0) },
                again: { try await refresher.authorized($0, after: $1) }),
            as: .device(details, keepingStateIn: items),
            keepingKeysIn: keys
        )
    }

    /// Uses a ticket for what it is good for: the first one enrols this terminal, later ones register it in a site.
    func scanned(_ ticket: EnrollmentTicket) async throws {
        guard try await store.signedIn(for: key) == nil else {
            try await approver.register()
            print("Registered at \(try await approver.register(by: ticket).name).")
            return
        }
        _ = try await signIn.redeem(ticket)
        try await approver.register()
        print("Enrolled at \(approver.issuer.text).")
    }

    /// Does what an app does at its start and each time it comes to the front. Only the server's word signs it out.
    func check() async {
        switch await approver.checkRegistration() {
        case .verified: print("The number is proved.")
        case .codeNeeded: print("A code was sent.")
        case .phoneNumberNeeded: print("Which number do you have?")
        case .signedOut: print("Scan a code again.")
        case .unknown(last: let last, because: let error):
            print("It was \(last?.status.rawValue ?? "never registered"), and stays so: \(error.code)")
        }
    }

    /// Takes in push messages while no screen is there, or while the app is in front.
    func takePushes(inForeground: Bool) async throws {
        let presenter = TextNotifications { print($0) }
        let registration = NotificationRegistration(with: presenter)
        try await registration.register(
            [NotificationCategory(.instant, actions: [.approve("Yes"), .deny("No")]), NotificationCategory(.scan)])
        print("Buttons: \(await registration.actions(of: .instant).map(\.title))")
        let notifier = RequestNotifier(for: approver, with: registration, presenting: presenter) { outcome in
            if case .openScanner = outcome { print("The scanner opens.") }
            if case .failed(_, let error) = outcome { print(error) }
        }
        while let line = readLine() {
            let members = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let system = members?["aps"] as? [String: Any]
            let message = PushPayload(
                (members ?? [:]).compactMapValues { $0 as? String }, category: system?["category"] as? String)
            print("Pushed: \(message.members.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " "))")
            if inForeground { print("In front: the app shows it itself.") } else { await notifier.take(message) }
        }
    }

    /// Shows what comes, and asks what to say to it.
    func watch() async {
        do {
            var known: Set<SignInRequest.ID> = []
            for try await event in approver {
                switch event {
                case .waiting(let requests):
                    for request in requests where known.insert(request.id).inserted { await ask(request) }
                default: if let sentence = event.sentence { print(sentence) }
                }
            }
        } catch {
            print(error)
        }
    }

    private func ask(_ request: WaitingRequest) async {
        print(request.sentence)
        if let message = request.message { print("It says: \(message.value)") }
        let origin = [request.address?.value, request.placeName].compactMap(\.self).joined(separator: ", ")
        if !origin.isEmpty { print("From: \(origin)") }
        if case .typeThere(let passcode) = request.step { return print("Type this there: \(passcode)") }
        if let stay = request.sessionSentence(choosing: nil), !request.isDenyOnly { print(stay) }
        switch request.step {
        case .matchNumber: print("The number, or n:")
        case .denyOnly: print("Deny? [n]")
        case .decide, .typeThere: print("Approve? [y/n]")
        }
        do throws(ApprovalError) {
            switch readLine() {
            case nil, "n": try await approver.answer(.deny, to: request)
            case "y": try await approver.answer(.approve(), to: request)
            case let number: try await approver.answer(.approve(number: number), to: request)
            }
            print("The server knows.")
        } catch {
            print("It did not work: \(error)")
        }
    }
}
