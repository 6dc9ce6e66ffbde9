internal import Foundation

/// The name that identifies a client's certificate: its subject, or one of its alternative names.
///
/// Standard: RFC 8705 §2.1.2.
public enum CertificateName: Sendable, Equatable, Codable {
    /// The subject, by RFC 4514 (`tls_client_auth_subject_dn`).
    case subject(String)
    /// A DNS name (`tls_client_auth_san_dns`).
    case dns(String)
    /// A URI (`tls_client_auth_san_uri`).
    case uri(String)
    /// An IPv4 or IPv6 address (`tls_client_auth_san_ip`).
    case ip(String)
    /// A mail address (`tls_client_auth_san_email`).
    case email(String)

    /// The most bytes that a name may have.
    package static let longest = DistinguishedNameText.longest

    /// Whether the name can be compared with those of a certificate.
    public var isWellFormed: Bool {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return false
        }
        return switch self {
        case .subject(let text): DistinguishedNameText(text) != nil
        case .dns(let text), .email(let text): text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case .uri(let text): text.contains(":") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case .ip(let text): Self.address(text) != nil
        }
    }

    /// The text of the name.
    public var text: String {
        switch self {
        case .subject(let text), .dns(let text), .uri(let text), .ip(let text), .email(let text): text
        }
    }

    /// The kind of name, in one word.
    public var kind: String {
        switch self {
        case .subject: "subject"
        case .dns: "dns"
        case .uri: "uri"
        case .ip: "ip"
        case .email: "email"
        }
    }

    /// The bytes of an IP address: 4 or 16; `nil` for an invalid text.
    package static func address(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: &six) { Array($0) } }
        return nil
    }
}

extension ClientMetadata {
    /// The certificate names for the client's authentication; there must be exactly one.
    package var certificateNames: [CertificateName] {
        get {
            [
                tlsClientAuthSubjectDN.map { .subject($0) }, tlsClientAuthSANDNS.map { .dns($0) },
                tlsClientAuthSANURI.map { .uri($0) }, tlsClientAuthSANIP.map { .ip($0) },
                tlsClientAuthSANEmail.map { .email($0) },
            ].compactMap(\.self)
        }
        set {
            for name in newValue {
                switch name {
                case .subject(let text): tlsClientAuthSubjectDN = text
                case .dns(let text): tlsClientAuthSANDNS = text
                case .uri(let text): tlsClientAuthSANURI = text
                case .ip(let text): tlsClientAuthSANIP = text
                case .email(let text): tlsClientAuthSANEmail = text
                }
            }
        }
    }
}
