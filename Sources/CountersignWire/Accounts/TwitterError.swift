/// The errors of X, by their numbers.
package enum TwitterError {
    /// "Could not authenticate you.": a signature is wrong, or the client is not known.
    package static let notAuthenticated = 32
    /// "Your account is suspended and is not permitted to access this feature."
    package static let suspended = 64
    /// "Invalid or expired token."
    package static let expiredToken = 89
    /// "Rate limit exceeded."
    package static let tooManyRequests = 88
    package static let overCapacity = 130
    package static let internalError = 131
    /// "Timestamp out of bounds."
    package static let wrongTime = 135
    package static let badAuthentication = 215
    /// "To protect our users from spam and other malicious activity, this account is temporarily locked."
    package static let locked = 326
    /// "Callback URL not approved for this client application."
    package static let callbackNotApproved = 415

    /// Whether the provider only asks for another attempt later.
    package static func isTemporary(_ code: Int?) -> Bool {
        [tooManyRequests, overCapacity, internalError].contains(code)
    }

    private struct Message: Decodable {
        struct Entry: Decodable {
            let code: Int?
        }

        let errors: [Entry]
    }

    /// The most specific numbers, in this order: what is wrong with the account, with the clock, with the token.
    private static let telling = [
        suspended, locked, wrongTime, expiredToken, badAuthentication, tooManyRequests, overCapacity, internalError,
        callbackNotApproved,
    ]

    /// The number in the body of an answer, of several the most specific one; `nil` when there is none.
    package static func code(in body: [UInt8]) -> Int? {
        let codes = codes(in: body)
        return telling.first(where: codes.contains) ?? codes.first
    }

    /// All numbers in the body of an answer, as JSON or, from the older endpoints, as XML.
    private static func codes(in body: [UInt8]) -> [Int] {
        if let message = try? ForeignMessage.read(Message.self, from: body) { return message.errors.compactMap(\.code) }
        guard let text = String(validating: body, as: UTF8.self) else { return [] }
        return text.ranges(of: #"<error code=""#).compactMap { Int(text[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
