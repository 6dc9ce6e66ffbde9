import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import HTTPTypes
import NIOConcurrencyHelpers

import FoundationEssentialsCompat

/// A provider in memory that does what the standard says, for stories with more than a few answers.
final class SmallProvider: HTTPTransport {
    /// The decision of people, as soon as they are asked.
    enum Person: Sendable {
        case approves, denies, sleeps
    }

    fileprivate struct Pairing {
        let client: String
        let domain: String
        var decision: Person
    }

    struct State {
        var identities: Set<String> = []
        var registrations = 0
        /// The domains of a client that have a person signed in.
        var tied: [String: Set<String>] = [:]
        fileprivate var pairings: [String: Pairing] = [:]
        var tokensEver = 0
        /// The token that works, by client and domain.
        var tokens: [[String]: String] = [:]
        /// The requests so far, as path and domain.
        var asked: [String] = []
        var person = Person.approves
        /// Whether a client that is tied for one domain is let into others without asking.
        var signsOnAutomatically = false
        /// Whether a client that is tied has to be confirmed.
        var isConfirmed = false
        /// Whether its tokens say whose they are.
        var namesPeople = true
    }

    static let domains = ["radio.example", "tv.example"]

    let state = NIOLockedValueBox(State())

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        guard !Task.isCancelled else { throw TransportError(.cancelled, because: "cancelled") }
        // Others get their turn, as with a network.
        await Task.yield()
        let path = request.path ?? ""
        let members = (try? JSONDecoder().decode([String: String].self, from: Data(body))) ?? [:]
        return state.withLockedValue { state in
            state.asked.append([path, members["domain"]].compactMap(\.self).joined(separator: " "))
            return Self.answer(to: path, members, &state)
        }
    }

    private static func answer(to path: String, _ members: [String: String], _ state: inout State) -> HTTPAnswer {
        if path == "/ap/register" {
            state.registrations += 1
            state.identities.insert("\(state.registrations)")
            return json(201, ["client_id": .text("\(state.registrations)"), "client_secret": .text("secret")])
        }
        guard let client = members["client_id"], state.identities.contains(client) else {
            return error("invalid_client", "Client not found")
        }
        guard let domain = members["domain"], domains.contains(domain) else {
            return error("invalid_request", "Unknown domain")
        }
        return path == "/ap/associate"
            ? associate(client, domain, &state) : token(client, domain, members["device_code"], &state)
    }

    private static func associate(_ client: String, _ domain: String, _ state: inout State) -> HTTPAnswer {
        let code = "code-\(state.pairings.count + 1)"
        let isTied = state.tied[client] != nil
        let isAutomatic = isTied && state.signsOnAutomatically
        state.pairings[code] = Pairing(
            client: client,
            domain: domain,
            decision: isAutomatic ? .approves : state.person
        )
        var members: [String: Value] = ["device_code": .text(code), "expires_in": .number(600)]
        if !isAutomatic {
            members["verification_uri"] = .text("https://ap.example/verify")
            members["interval"] = .number(5)
            if !(isTied && state.isConfirmed) { members["user_code"] = .text("AfZQNVkR") }
        }
        return json(200, members)
    }

    private static func token(
        _ client: String,
        _ domain: String,
        _ code: String?,
        _ state: inout State
    ) -> HTTPAnswer {
        if let code {
            guard let pairing = state.pairings[code], pairing.client == client, pairing.domain == domain else {
                return error("invalid_request", "Unknown device code")
            }
            switch pairing.decision {
            case .sleeps: return json(202, ["reason": .text("authorization_pending")])
            case .denies: return error("cancelled", "User denied access")
            case .approves: break
            }
            state.pairings[code] = nil
            state.tied[client, default: []].insert(domain)
        }
        state.tokensEver += 1
        let token = "token-\(state.tokensEver)"
        state.tokens[[client, domain]] = token
        var members: [String: Value] = [
            "access_token": .text(token), "token_type": .text("bearer"), "expires_in": .number(3_600),
            "domain": .text(domain), "domain_display_name": .text("The service at \(domain)"),
        ]
        if state.namesPeople, state.tied[client]?.contains(domain) == true { members["user_name"] = .text("Anna") }
        return json(200, members)
    }

    private enum Value: Encodable {
        case text(String), number(Int)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    private static func error(_ code: String, _ words: String) -> HTTPAnswer {
        json(400, ["error": .text(code), "error_description": .text(words)])
    }

    private static func json(_ status: Int, _ members: [String: Value]) -> HTTPAnswer {
        let body = (try? JSONEncoder().encode(members)) ?? Data()
        let fields: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        return HTTPAnswer(
            HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields),
            body: Array(body)
        )
    }
}

extension SmallProvider {
    static let radio = Domain("radio.example")
    static let tv = Domain("tv.example")

    func change(_ edit: (inout State) -> Void) {
        state.withLockedValue { edit(&$0) }
    }

    /// The requests so far, without the provider's own path.
    var asked: [String] { state.withLockedValue(\.asked).map { String($0.dropFirst("/ap".count)) } }

    /// The count of identities that it gave out.
    var registrations: Int { state.withLockedValue(\.registrations) }

    /// The token that works.
    func working(of client: String, for domain: Domain) -> String? {
        state.withLockedValue { $0.tokens[[client, domain.rawValue]] }
    }

    func forgets(_ client: String) {
        change { state in
            state.identities.remove(client)
            state.tied[client] = nil
        }
    }
}

/// The app of most tests, at a provider that a test holds in its hands.
struct CrossPlatformApp {
    let clock = ManualClock()
    let store = MemoryTokenStore()
    let transport: any HTTPTransport
    var address = "https://ap.example/ap"

    init(at transport: any HTTPTransport) {
        self.transport = transport
    }

    func provider(
        clock: TimeSource? = nil,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) throws -> CrossPlatformProvider {
        var options = SignInOptions()
        options.wait = nil
        change(&options)
        return CrossPlatformProvider(
            at: try Issuer(address, allowingInsecureHTTP: options.allowingInsecureHTTP),
            as: ClientRegistrationRequest(clientName: "Radio", softwareID: "com.example.radio", softwareVersion: "1.0"),
            keepingTokensIn: store,
            options: options,
            in: RequesterContext(over: transport, clock: clock ?? self.clock.skipping, random: .system)
        )
    }
}

/// A screen that remembers what it was told.
actor RecordingPresentation: SignInPresentation {
    enum Call: Sendable, Equatable {
        case show(UserCodeText?), replace(UserCodeText?), dismiss
    }

    private(set) var calls: [Call] = []
    private(set) var told: [SignInEvent] = []
    private let react: @Sendable (SignInPage) async -> Void
    private var watchers: [CheckedContinuation<Void, Never>] = []

    /// A screen that does `react` with what it shows.
    init(_ react: @escaping @Sendable (SignInPage) async -> Void = { _ in }) {
        self.react = react
    }

    func show(_ page: SignInPage) async {
        calls.append(.show(page.invitation.userCode))
        for watcher in watchers { watcher.resume() }
        watchers = []
        await react(page)
    }

    func replace(with page: SignInPage) async {
        calls.append(.replace(page.invitation.userCode))
        await react(page)
    }

    func dismiss() { calls.append(.dismiss) }

    func tell(_ event: SignInEvent) { told.append(event) }

    /// Returns once something is shown.
    func shown() async {
        guard calls.isEmpty else { return }
        await withCheckedContinuation { watchers.append($0) }
    }
}
