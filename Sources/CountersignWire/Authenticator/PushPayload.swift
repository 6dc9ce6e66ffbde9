/// The content of a push message: ids only, so that intermediaries learn nothing.
///
/// The app fetches the request itself. The names are those of both older SDKs: one for the phones of Apple's makes,
/// whose category is the kind, one for Android's, which has a key for it.
public struct PushPayload: Sendable, Equatable {
    /// The app's action on a message.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It shows a request that can be approved or denied.
        case instant = "auth_instant"
        /// It shows a one-time password.
        case oneTimePassword = "auth_otp"
        /// It opens the scanner, because a site shows a QR code.
        case scan = "auth_qr"
    }

    /// The app's action; `nil` for a message that only shows text.
    public var kind: Kind?
    /// The site; `nil` when the message names none.
    public var environment: CustomerSiteID?
    /// The request; `nil` when the message names none.
    public var request: AuthenticationRequest.ID?

    /// A message.
    public init(_ kind: Kind?, environment: CustomerSiteID? = nil, request: AuthenticationRequest.ID? = nil) {
        self.kind = kind
        self.environment = environment
        self.request = request
    }

    /// Reads the user info of a message.
    ///
    /// - Parameters:
    ///   - info: The members of the message; values of other kinds than text are ignored.
    ///   - category: The category of the notification, if the system has categories; `nil`, the default, for the key
    ///     `type`.
    public init(_ info: [String: any Sendable], category: String? = nil) {
        kind = (category ?? info["type"] as? String).flatMap(Kind.init(rawValue:))
        environment = (info["envId"] as? String).flatMap(CustomerSiteID.init(parsing:))
        request = (info["authId"] as? String).flatMap { text in
            (1...128).contains(text.utf8.count) ? AuthenticationRequest.ID(text) : nil
        }
    }

    /// The members of the message to send.
    public var members: [String: String] {
        var members: [String: String] = [:]
        members["type"] = kind?.rawValue
        members["envId"] = environment?.rawValue
        members["authId"] = request?.rawValue
        return members
    }
}
