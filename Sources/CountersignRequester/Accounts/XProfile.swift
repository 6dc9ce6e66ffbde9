internal import Countersign
public import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// The person who has signed in at X.
public struct XPerson: Sendable, Hashable {
    /// The person's identifier at X: digits, often more than a number of JavaScript can hold.
    public let id: String
    /// The person's name.
    public let name: String
    /// The name that others mention the person by; the person can change it.
    public let username: String
    /// The address of the person's picture, of 400 by 400 pixels where X has that; `nil` if unknown.
    public let avatar: String?
}

/// Requests the identity of the person signed in at X by OAuth 2: X has no ID token for it.
///
/// ```swift
/// let person = try await XProfile(over: SystemTransport.make()).person(of: signedIn)
/// app.welcome(person.name)
/// ```
///
/// The rights `users.read` and `tweet.read` are needed; ``AccountSource/x`` asks for them. The answer is for the app
/// alone: a token of X does not name its audience, so a backend must not accept it as a proof.
public struct XProfile: Sendable {
    private let address: String
    private let timeLimit: Duration
    private let transport: any HTTPTransport

    /// Prepares a lookup.
    ///
    /// - Parameters:
    ///   - base: The address of X's API, without a path.
    ///   - timeLimit: The time limit of one request; 15 s by default.
    ///   - transport: The network.
    public init(
        at base: String = "https://api.x.com",
        within timeLimit: Duration = .seconds(15),
        over transport: any HTTPTransport
    ) {
        address = "\(base)/2/users/me?user.fields=profile_image_url"
        self.timeLimit = timeLimit
        self.transport = transport
    }

    /// Requests the identity of the signed-in person.
    ///
    /// - Parameter signedIn: The tokens of ``AppToAppSignIn`` at ``ProviderProfile/x``.
    /// - Throws: ``AccountError`` at the step `profile`: `tokenRefused` when the token has expired or was taken back,
    ///   `unconfigured` when X does not let the app ask, `accountSuspended`, `accountLocked`, `networkFailure`,
    ///   `serviceFailure` or `cancelled`.
    public func person(of signedIn: CompletedSignIn) async throws(AccountError) -> XPerson {
        let answer = try await AccountAttempt.send(
            .get,
            to: address,
            authorization: BearerHeader.value(for: signedIn.accessToken),
            at: .profile,
            over: transport,
            within: timeLimit
        )
        guard answer.response.status == .ok else { throw Self.problem(in: answer) }
        guard let person = try? answer.decoded(Profile.self).data, !person.id.isEmpty else {
            throw AccountError(.serviceFailure, at: .profile, because: "the answer is no profile", status: 200)
        }
        return XPerson(
            id: person.id,
            name: person.name,
            username: person.username,
            avatar: person.avatar.map(ReverseAuthProfile.large)
        )
    }

    /// The problem that an answer other than success means.
    private static func problem(in answer: HTTPAnswer) -> AccountError {
        let status = answer.response.status.code
        let code = TwitterError.code(in: answer.body)
        let said = try? answer.decoded(Refusal.self)
        let kind = said?.type.flatMap { $0.split(separator: "/").last }.map(String.init)
        let meaning: AccountError.Code =
            switch (status, code, kind) {
            case (_, TwitterError.suspended?, _): .accountSuspended
            case (_, TwitterError.locked?, _): .accountLocked
            case (401, _, _): .tokenRefused
            case (403, _, "client-forbidden"?), (403, _, "unsupported-authentication"?): .unconfigured
            default: .serviceFailure
            }
        return AccountError(
            meaning,
            at: .profile,
            because: "status \(status): \(AccountError.shown(said?.detail ?? said?.title ?? ""))",
            status: status,
            providerCode: code,
            isTemporary: TwitterError.isTemporary(code) || kind == "usage-capped"
        )
    }

    private struct Profile: Decodable {
        struct Person: Decodable {
            let id: String
            let name: String
            let username: String
            let avatar: String?

            enum CodingKeys: String, CodingKey {
                case id
                case name
                case username
                case avatar = "profile_image_url"
            }
        }

        let data: Person
    }

    /// Standard: RFC 9457 §3.1.
    private struct Refusal: Decodable {
        let type: String?
        let title: String?
        let detail: String?
    }
}
