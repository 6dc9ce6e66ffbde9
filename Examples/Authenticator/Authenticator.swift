import Countersign
import CountersignApprover
import CountersignRequester
import CountersignTransport
import CountersignWire
import Foundation

/// A whole authenticator in a terminal. The QR code comes from a picture, as a camera would give it:
///
///     swift run Authenticator phone code.png        # enrols this terminal, or registers it in the site of the code
///     swift run Authenticator phone code.png watch  # and answers what comes
///
/// The first word is the client as which the server knows this app. What it keeps is sealed in a directory, which
/// `in=DIRECTORY` names. Pictures are read by `zbarimg`.
@main
struct AuthenticatorApp {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let scanned = text(ofCodeIn: words[1]),
            case .ticket(issuer: let server, let ticket)? = EnvironmentInvitation(scanned),
            let issuer = try? Issuer(server)
        else {
            print(
                "Usage: Authenticator CLIENT PICTURE [watch] [in=DIRECTORY], with a picture of an authenticator's code")
            exit(64)
        }
        let place = words.first { $0.hasPrefix("in=") }.map { String($0.dropFirst(3)) }
        let directory = place ?? "\(NSHomeDirectory())/.local/share/countersign-authenticator"
        let phone = Phone(at: issuer, as: ClientID(words[0]), keepingEverythingIn: directory)
        do {
            try await phone.scanned(ticket)
            if words.contains("watch") { await phone.watch() }
        } catch {
            print("It did not work: \(error)")
            exit(1)
        }
    }

    /// The text of the QR code in a picture; `nil` when there is none.
    static func text(ofCodeIn picture: String) -> String? {
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        reader.arguments = ["zbarimg", "--quiet", "--raw", picture]
        let output = Pipe()
        reader.standardOutput = output
        reader.standardError = FileHandle.nullDevice
        guard (try? reader.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        reader.waitUntilExit()
        return reader.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

/// This terminal as a phone.
struct Phone {
    let store: SealedFileTokenStore
    let key: TokenStoreKey
    let signIn: TicketSignIn
    let authenticator: Authenticator

    init(at issuer: Issuer, as client: ClientID, keepingEverythingIn directory: String) {
        store = SealedFileTokenStore(directory: directory)
        key = .signIn(at: issuer, as: client)
        signIn = TicketSignIn(at: issuer, as: client, keepingTokensIn: store)
        let refresher = TokenRefresher(at: issuer, as: client, keepingTokensIn: store)
        var details = DeviceDetails()
        details.platform = "Linux"
        authenticator = Authenticator(
            for: ApproverAccount(
                id: ApproverAccount.ID("me"), issuer: issuer,
                authorizing: { try await refresher.authorized($0) },
                again: { try await refresher.authorized($0, after: $1) }),
            describing: details,
            keepingKeysIn: Kept(store: store),
            keepingStateIn: Kept(store: store),
            over: SystemTransport.make(),
            drawingFrom: .system,
            clock: .system
        )
    }

    /// Uses a ticket for what it is good for: the first one enrols this terminal, later ones register it in a site.
    func scanned(_ ticket: EnrollmentTicket) async throws {
        guard try await store.signedIn(for: key) == nil else {
            try await authenticator.register()
            print("Registered at \(try await authenticator.register(by: ticket).name).")
            return
        }
        _ = try await signIn.redeem(ticket)
        try await authenticator.register()
        print("Enrolled at \(authenticator.issuer.text).")
    }

    /// Shows what comes, and asks what to say to it.
    func watch() async {
        for await event in authenticator.requests() {
            switch event {
            case .arrived(let request): await ask(request)
            case .withdrawn, .expired: print("It is over.")
            case .temporaryFailure(let error, _), .ended(let error): print(error)
            }
        }
    }

    private func ask(_ request: WaitingRequest) async {
        do throws(ApprovalError) {
            let shown = try await authenticator.look(at: request.id)
            print("\(shown.clientName.value) wants you to sign in as \(shown.accountName).")
            if let message = shown.message { print("It says: \(message.value)") }
            if let pin = shown.pin { return print("Type this there: \(pin)") }
            print(shown.numberDigits == nil ? "Approve? [y/n]" : "The number that is shown there, or n:")
            switch readLine() {
            case nil, "n": try await authenticator.answer(.deny, to: shown)
            case "y": try await authenticator.answer(.approve(), to: shown)
            case let number: try await authenticator.answer(.approve(number: number), to: shown)
            }
            print("The server knows.")
        } catch {
            print("It did not work: \(error)")
        }
    }
}

/// Key and state of the authenticator, beside the tokens that they belong to.
struct Kept: ApproverKeyStore, AuthenticatorStore {
    let store: SealedFileTokenStore

    func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner {
        let item = AuthenticatorItem("key \(account)")
        return try await store.exclusively(for: key(item)) {
            if let kept = try await load(item).flatMap({ ApproverPrivateKey(revealing: $0) }) { return kept }
            let made = ApproverPrivateKey(drawingFrom: .system)
            try await save(made.revealedBytes, for: item)
            return made
        }
    }

    func load(_ item: AuthenticatorItem) async throws -> [UInt8]? { try await store.load(key(item)) }
    func save(_ bytes: [UInt8], for item: AuthenticatorItem) async throws {
        try await store.save(bytes, for: key(item))
    }
    func remove(_ item: AuthenticatorItem) async throws { try await store.remove(key(item)) }

    private func key(_ item: AuthenticatorItem) -> TokenStoreKey {
        TokenStoreKey(TokenStoreKey.Kind("authenticator"), item.rawValue)
    }
}
