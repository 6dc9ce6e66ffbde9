/// A requester's request; it is sent only to an authenticated approver.
public enum NearbyRequest: Sendable, Equatable {
    /// Bytes that the approver's app makes, a single-use token for example. Never ask for a password.
    case bytes(purpose: NearbyPurpose)
    /// Approval of the requester's own request at a server.
    case server(NearbySignInRequest)
}

/// The purpose of the bytes, in the app's own words: 255 bytes of UTF-8 at most.
public struct NearbyPurpose: Sendable, Hashable {
    /// The words.
    public let text: String

    /// Creates a purpose; `nil` when the text is too long.
    public init?(_ text: String) {
        guard text.utf8.count <= 255 else { return nil }
        self.text = text
    }

    /// The words in a form that is safe to show, since they come from the other device.
    public var shown: String { text.shownInOneLine }
}

/// The requested kind of grant; sent before the request itself.
public enum NearbyRequestKind: UInt8, Sendable, Hashable {
    /// Bytes of the app.
    case bytes = 1
    /// Approval of a request at a server.
    case server = 2
}

extension NearbyRequest {
    /// Its kind.
    public var kind: NearbyRequestKind {
        switch self {
        case .bytes: .bytes
        case .server: .server
        }
    }
}
