internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The statement of a provider with a social graph about a token (`debug_token`), before it is judged.
struct TokenInspection: ProvingMessage {
    private let data: Facts

    private struct Facts: Decodable {
        let isValid: Bool
        let app: StringOrNumber?
        let type: String?
        let user: StringOrNumber?
        let expires: Int64?
        let dataAccessExpires: Int64?
        let error: ErrorMember?

        enum CodingKeys: String, CodingKey {
            case isValid = "is_valid"
            case app = "app_id"
            case type
            case user = "user_id"
            case expires = "expires_at"
            case dataAccessExpires = "data_access_expires_at"
            case error
        }
    }

    private struct ErrorMember: Decodable {
        let code: Int?
        let subcode: Int?
    }

    /// A token that was made for our app, for a person, and that is valid.
    struct ValidToken: Equatable {
        let subject: String
        /// The earlier of the ends that it has; `nil` when it has none.
        let expires: Date?

        fileprivate init(subject: String, expires: Date?) {
            self.subject = subject
            self.expires = expires
        }
    }

    /// Accepts the token if it was made for `app`, for a person, and counts at `now`.
    ///
    /// - Throws: ``ProviderError`` `token` with the first thing that is wrong; `badAnswer` when something is missing.
    func accepted(for app: ClientID, at now: Date) throws(ProviderError) -> ValidToken {
        guard data.isValid else {
            let numbers = [data.error?.code, data.error?.subcode].compactMap { $0.map(String.init) }
            throw ProviderError(.token, because: "it is not valid \(numbers.joined(separator: "/"))")
        }
        guard let audience = data.app?.text, let type = data.type, let expires = data.expires else {
            throw ProviderError(.badAnswer, because: "debug_token leaves out app_id, type or expires_at")
        }
        guard audience == app.rawValue else { throw ProviderError(.token, because: "it is a token of another app") }
        guard type == "USER" else { throw ProviderError(.token, because: "it is not a token of a person") }
        guard let user = data.user?.text else {
            throw ProviderError(.badAnswer, because: "debug_token leaves out user_id")
        }
        // Zero is for never.
        let ends = [expires, data.dataAccessExpires ?? 0].filter { $0 != 0 }.map {
            Date(named: $0)
        }
        guard ends.allSatisfy({ now < $0 }) else { throw ProviderError(.token, because: "it has expired") }
        return ValidToken(subject: user, expires: ends.min())
    }
}
