public import Countersign

/// What a requester wants; nobody learns it before the approver is authenticated.
public enum NearbyRequest: Sendable, Equatable {
    /// Bytes that the approver's app makes, a single-use token for example. Never ask for a password.
    case bytes(purpose: NearbyPurpose)
    /// Approval of the requester's own request at a server.
    case server(NearbyServerRequest)
}

/// What the bytes are for, in the app's own words: 255 bytes of UTF-8 at most.
public struct NearbyPurpose: Sendable, Hashable {
    /// The words.
    public let text: String

    /// Takes over words; `nil` when there are too many.
    public init?(_ text: String) {
        guard text.utf8.count <= 255 else { return nil }
        self.text = text
    }
}

/// Which server a request was started at, as the requester spells it.
public struct NearbyIssuer: Identifier {
    /// The URL, character for character.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The code by which the server finds the request.
public struct NearbyUserCode: Identifier {
    /// The code as the server gave it.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A request that the requester has started at a server, and what proves that it did.
public struct NearbyServerRequest: Sendable, Equatable {
    package static let longestIssuer = 2_048

    /// Where it was started. It must equal, character for character, a server that the approver's app is signed in to.
    public let issuer: NearbyIssuer
    /// Which one it is.
    public let userCode: NearbyUserCode
    /// What only its owner holds.
    public let verifier: NearbyVerifier

    /// Puts a request together; `nil` when the issuer or the code is empty or too long for a link.
    public init?(issuer: NearbyIssuer, userCode: NearbyUserCode, verifier: NearbyVerifier) {
        guard (1...Self.longestIssuer).contains(issuer.rawValue.utf8.count),
            (1...255).contains(userCode.rawValue.utf8.count)
        else { return nil }
        self.issuer = issuer
        self.userCode = userCode
        self.verifier = verifier
    }
}

/// What kind of grant is asked for; told before the request itself.
public enum NearbyRequestKind: UInt8, Sendable, Hashable {
    case bytes = 1
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
