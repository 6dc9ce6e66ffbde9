/// An error of a provider with a social graph.
package struct SocialGraphError: Decodable, Sendable {
    /// The media type that some answers of such a provider have in place of that of JSON, errors and others.
    package static let otherMedia: Set = ["text/javascript"]
    package static let tokenRefused = 190
    /// The person has removed the app at the provider; a subcode of ``tokenRefused``.
    package static let appRemoved = 458

    /// The members of an error.
    package struct Members: Decodable, Sendable {
        package let code: Int
        /// The number of the more exact cause.
        package let subcode: Int?
        /// The name of a group of errors.
        package let type: String?
        package let message: String?
        /// Whether it says itself that it passes.
        package let isTransient: Bool?

        enum CodingKeys: String, SnakeCaseKey {
            case code, type, message, isTransient
            case subcode = "error_subcode"
        }
    }

    package let error: Members

    package var numbers: String { "error \(error.code)\(error.subcode.map { "/\($0)" } ?? "")" }

    /// The error as text for the log.
    package var words: String { "\(numbers) \(error.type ?? ""): \(error.message ?? "")" }

    /// Whether the provider asks for a later retry: it has an internal problem, or it rate-limits the app.
    package var isTemporary: Bool { error.isTransient == true || Self.temporary.contains(error.code) }

    /// The numbers of errors that pass, which come with status 400: an unknown error, a service that is down, and too
    /// many requests of the app, the person, the page and the moment.
    package static let temporary = [1, 2, 4, 17, 32, 341, 613]

    /// Reads it from an answer of any media type: some come as `text/javascript`.
    package init?(in body: [UInt8]) {
        guard let read = try? ForeignMessage.read(SocialGraphError.self, from: body) else { return nil }
        self = read
    }
}
