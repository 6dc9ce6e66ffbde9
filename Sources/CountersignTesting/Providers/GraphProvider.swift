public import Countersign
public import CountersignRequester
internal import CountersignWire
internal import Crypto
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// A person at the fake provider of the social-graph kind.
public struct GraphPerson: Sendable, Hashable {
    /// The identifier.
    public var id = "10158400000000000"
    /// The name.
    public var name = "Jürgen Łukasz 山田"
    /// The e-mail address; `nil` for none.
    public var email: String? = "juergen@example.com"

    /// A person with a name that is not ASCII.
    public init() {}
}

/// The fake provider's record of a token.
public struct GraphToken: Sendable, Hashable {
    /// The person of the token.
    public var person = GraphPerson()
    /// The app that it was issued for.
    public var app: ClientID
    /// Whether it is valid.
    public var isValid = true
    /// The expiry, in seconds since 1970; 0 for never.
    public var expires = 0
    /// The time when the app may no longer read the person's data, in seconds since 1970; 0 for never.
    public var dataAccessExpires = 0
    /// The kind of its subject: `USER`, `PAGE` or `APP`.
    public var kind = "USER"
    /// The person that `me` names, if not ``person``; `nil`, at the start, if it is.
    public var personAtProfile: GraphPerson?
    /// The rights that it has.
    public var scopes = ["public_profile"]

    /// A valid token for an app.
    public init(for app: ClientID) { self.app = app }
}

/// A provider of the social-graph kind on a port of this machine, as Facebook is: `me`, the picture, and `debug_token`.
///
/// ```swift
/// let graph = try await GraphProvider.start()
/// let token = graph.issue(GraphToken(for: graph.app))
/// graph.refuse(with: [GraphRefusal(190, 460)])  // the next look at the profile
/// ```
public final class GraphProvider: Sendable {
    /// A step that an app can ask of the provider.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        /// The profile (`me`).
        case profile
        /// The facts about a token (`debug_token`).
        case debugToken
        case picture
    }

    private struct State {
        var tokens: [String: GraphToken] = [:]
        var refusals: [GraphRefusal] = []
        var needsProof = false
        var givesPictureAddress = false
        var number = 0
    }

    private let state = NIOLockedValueBox(State())
    private let steps = ProviderSteps<Step>()

    /// The version that it answers under.
    public static let version = "v23.0"
    /// The app's identifier.
    public let app = ClientID("1234567890")
    /// The app's secret, which a backend has.
    public let appSecret = ClientSecret(revealing: "graph-app-secret")

    private init() {}

    /// Starts a provider on a free port.
    ///
    /// - Returns: The provider; it answers until ``stop()``, or until nothing refers to it.
    /// - Throws: `IOError` when it cannot listen.
    public static func start() async throws -> GraphProvider {
        let provider = GraphProvider()
        try await provider.steps.listen { [weak provider] in provider?.outcome(of: $0) }
        return provider
    }

    /// Stops to listen, and ends all connections.
    public func stop() async { await steps.stop() }

    /// The address that it listens at, such as `http://127.0.0.1:40123`.
    public var base: String { steps.base }

    /// The addresses that an app needs.
    public var addresses: SocialGraphProvider {
        SocialGraphProvider(id: .facebook, base: steps.address(base, of: .profile), version: Self.version)
    }

    /// The requests so far, in their order.
    public var received: [ProviderRequest] { steps.received }

    /// Whether requests with a token must prove that they come from the app's backend (`appsecret_proof`); `false` at
    /// the start. A present proof must be valid in any case.
    public var needsProof: Bool {
        get { state.withLockedValue(\.needsProof) }
        set { state.withLockedValue { $0.needsProof = newValue } }
    }

    /// Whether the profile says where the picture itself is, when it is asked for, as newer versions of the interface
    /// do; `false` at the start.
    public var givesPictureAddress: Bool {
        get { state.withLockedValue(\.givesPictureAddress) }
        set { state.withLockedValue { $0.givesPictureAddress = newValue } }
    }

    /// Issues a token.
    ///
    /// - Parameter token: The provider's record of it.
    /// - Returns: The token.
    public func issue(_ token: GraphToken) -> AccessToken {
        state.withLockedValue { state in
            state.number += 1
            let text = "EAAG-\(state.number)"
            state.tokens[text] = token
            return AccessToken(revealing: text)
        }
    }

    /// Refuses the next looks at the profile, one after another.
    ///
    /// - Parameter refusals: The errors, one for each look.
    public func refuse(with refusals: [GraphRefusal]) { state.withLockedValue { $0.refusals = refusals } }

    /// Lets a step fail.
    ///
    /// - Parameters:
    ///   - step: The step to break.
    ///   - faults: The faults, one for each request; the last remains. Without any, the step works again.
    public func fail(at step: Step, with faults: ProviderFault...) { steps.set(faults, at: step) }
}

/// An error of the fake provider of the social-graph kind.
public struct GraphRefusal: Sendable, Hashable {
    /// The number of the error, such as 190 for a token that is refused.
    public let code: Int
    /// The number of the more exact cause, such as 460 for a changed password; `nil` for none.
    public let subcode: Int?

    /// An error.
    public init(_ code: Int, _ subcode: Int? = nil) {
        self.code = code
        self.subcode = subcode
    }

    var reply: ProviderReply {
        var error: [String: JSONMember] = [
            "code": .number(code), "type": "OAuthException", "message": "Error validating access token",
            "fbtrace_id": "A1",
        ]
        error["error_subcode"] = subcode.map { .number($0) }
        return .json(["error": .object(error)], status: code == 190 ? 401 : 400)
    }
}

extension GraphProvider {
    private func outcome(of request: ProviderRequest) -> LoopbackListener.Outcome {
        let path = request.path.hasPrefix("/\(Self.version)/") ? request.path.dropFirst(Self.version.count + 1) : ""
        if path == "/me" { return steps.outcome(of: request, at: .profile) { profile(request) } }
        if path == "/debug_token" { return steps.outcome(of: request, at: .debugToken) { debugToken(request) } }
        if path.hasSuffix("/picture") {
            return steps.outcome(of: request, at: .picture) { .redirect(to: "\(base)/pictures/large.jpg") }
        }
        if request.path == "/pictures/large.jpg" {
            return steps.outcome(of: request, at: nil) { .text("a picture", type: "image/jpeg") }
        }
        return steps.outcome(of: request, at: nil) { GraphRefusal(2500).reply }
    }

    private func profile(_ request: ProviderRequest) -> ProviderReply {
        let refusal = state.withLockedValue { $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }
        if let refusal { return refusal.reply }
        guard let text = request.bearer ?? request.query["access_token"],
            let token = state.withLockedValue({ $0.tokens[text] }), token.isValid
        else { return GraphRefusal(190).reply }
        if let proof = request.query["appsecret_proof"] {
            guard proof == self.proof(of: text) else { return GraphRefusal(100).reply }
        } else if needsProof {
            return GraphRefusal(100).reply
        }
        // Only the requested ones, and the identifier.
        let fields = (request.query["fields"] ?? "id,name").split(separator: ",").map { $0.prefix { $0 != "." } }
        let person = token.personAtProfile ?? token.person
        var members: [String: JSONMember] = ["id": .string(person.id)]
        if fields.contains("name") { members["name"] = .string(person.name) }
        if fields.contains("email") { members["email"] = person.email.map { .string($0) } }
        if fields.contains("picture"), givesPictureAddress {
            members["picture"] = .object(["data": .object(["url": .string("\(base)/pictures/large.jpg")])])
        }
        return .json(members)
    }

    /// HMAC-SHA256 of the token with the app's secret, in hexadecimal digits.
    private func proof(of token: String) -> String {
        let key = SymmetricKey(data: Array(appSecret.revealed.utf8))
        return HMAC<SHA256>.authenticationCode(for: Array(token.utf8), using: key).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private func debugToken(_ request: ProviderRequest) -> ProviderReply {
        // The app's own token has a character that no bearer token may have.
        let presented = request.fields[.authorization].flatMap {
            $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
        }
        guard (presented ?? request.query["access_token"]) == "\(app)|\(appSecret.revealed)" else {
            return GraphRefusal(190).reply
        }
        guard let token = state.withLockedValue({ $0.tokens[request.query["input_token"] ?? ""] }) else {
            let error: JSONMember = .object(["code": 190, "message": "Malformed access token"])
            return .json(["data": .object(["is_valid": false, "scopes": .list([]), "error": error])])
        }
        let data: [String: JSONMember] = [
            "app_id": .string(token.app.rawValue), "type": .string(token.kind), "application": "Recipes",
            "is_valid": .bool(token.isValid), "expires_at": .number(token.expires),
            "data_access_expires_at": .number(token.dataAccessExpires),
            "scopes": .list(token.scopes.map { .string($0) }), "user_id": .string(token.person.id),
        ]
        return .json(["data": .object(data)])
    }
}
