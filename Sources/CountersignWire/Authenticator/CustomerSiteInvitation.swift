/// A customer of an authenticator service; devices answer requests for the customer's site.
public struct CustomerSiteID: Identifier {
    /// The identifier as text: a UUID.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads an identifier.
    ///
    /// - Parameter text: `nil` is returned unless it has the 36 characters of a UUID: hexadecimal digits in groups of
    ///   8, 4, 4, 4 and 12 with hyphens between, in any case.
    public init?(parsing text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.utf8.allSatisfy { Form.hexDigit($0) != nil } })
        else { return nil }
        rawValue = text.lowercased()
    }
}

/// The secret that a legacy device shares with a site.
public struct CustomerSiteSecret: Secret {
    /// The secret in the clear.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// The one-use ticket that enrolls a device in a site.
public struct EnrollmentTicket: Secret {
    /// The ticket in the clear.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// The content of a site's QR code.
///
/// There are two kinds. The older one is `UUID,secret`: any person who sees the picture keeps the secret. Ours is a
/// link with a ticket that can be used once, within minutes, by a device that makes its own key.
public enum CustomerSiteInvitation: Sendable, Equatable {
    /// Site and shared secret, of the legacy protocol.
    case shared(CustomerSiteID, CustomerSiteSecret)
    /// A ticket at a server, which is named by its issuer.
    case ticket(issuer: String, EnrollmentTicket)

    /// The longest text that is read, in bytes.
    static let longest = 2048
    private static let path = "/authenticator/enroll#"

    /// Reads scanned text.
    ///
    /// - Parameter text: `nil` is returned for text that is neither kind. In the older kind everything behind the first
    ///   comma is the secret; white space around the text is no part of it.
    public init?(_ text: String) {
        let trimmed = TypedText.trimmed(text)
        guard trimmed.utf8.count <= Self.longest else { return nil }
        if let place = trimmed.firstRange(of: Self.path) {
            let (issuer, ticket) = (String(trimmed[..<place.lowerBound]), trimmed[place.upperBound...])
            guard (try? Endpoint(issuer)) != nil, (16...128).contains(ticket.utf8.count),
                ticket.utf8.allSatisfy(URLSafeText.isUnreserved)
            else { return nil }
            self = .ticket(issuer: issuer, EnrollmentTicket(revealing: String(ticket)))
            return
        }
        guard let comma = trimmed.firstIndex(of: ","), let id = CustomerSiteID(parsing: String(trimmed[..<comma]))
        else { return nil }
        let secret = trimmed[trimmed.index(after: comma)...]
        guard !secret.isEmpty else { return nil }
        self = .shared(id, CustomerSiteSecret(revealing: String(secret)))
    }

    /// The text to draw as a QR code. It is a secret.
    public var revealed: String {
        switch self {
        case .shared(let id, let secret): "\(id),\(secret.revealed)"
        case .ticket(let issuer, let ticket): "\(issuer)\(Self.path)\(ticket.revealed)"
        }
    }
}
