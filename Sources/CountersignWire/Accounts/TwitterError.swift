#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The errors of X, by their numbers.
package enum TwitterError {
    /// "Could not authenticate you.": a signature is wrong, or the client is not known.
    package static let notAuthenticated = 32
    /// "Your account is suspended and is not permitted to access this feature."
    package static let suspended = 64
    /// "Invalid or expired token."
    package static let expiredToken = 89
    /// "Timestamp out of bounds."
    package static let wrongTime = 135
    /// "Bad Authentication data."
    package static let badAuthentication = 215
    /// "To protect our users from spam and other malicious activity, this account is temporarily locked."
    package static let locked = 326
    /// "Callback URL not approved for this client application."
    package static let callbackNotApproved = 415

    private struct Message: Decodable {
        struct One: Decodable {
            let code: Int
        }

        let errors: [One]
    }

    /// The number in the body of an answer, as JSON or, from the older endpoints, as XML; `nil` when there is none.
    package static func code(in body: [UInt8]) -> Int? {
        if let message = try? JSONDecoder().decode(Message.self, from: Data(body)) { return message.errors.first?.code }
        guard let text = String(validating: body, as: UTF8.self), let start = text.firstRange(of: #"<error code=""#)
        else { return nil }
        return Int(text[start.upperBound...].prefix { $0 != "\"" })
    }
}
