package import CountersignWire
package import FoundationEssentialsCompat
internal import SwiftASN1
internal import X509

/// A certificate whose key a client proved when it opened a TLS connection to this server.
///
/// Made by ``ClientCertificateVerifier`` alone, never from a header, which a client could write.
/// Standard: RFC 8705 §2, §3.
package struct PresentedCertificate: Sendable, Equatable {
    package let thumbprint: CertificateThumbprint
    /// Whether an authority that the operator trusts issued it, for clients of TLS, and the whole chain was valid when
    /// the connection was opened.
    package let isTrusted: Bool
    private let validity: ClosedRange<Date>
    private let subject: DistinguishedNameText?
    private let alternatives: [AlternativeName]

    /// A name in the extension `subjectAltName`.
    private enum AlternativeName: Sendable, Equatable {
        case dns(String)
        case uri(String)
        case ip([UInt8])
        case email(String)
    }

    /// Reads a certificate that was proved.
    ///
    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - bytes: The certificate in DER.
    ///   - chain: The certificates from it to a trusted authority; `nil` when there is no such chain.
    init(_ certificate: Certificate, der bytes: [UInt8], trustedBy chain: [Certificate]?) {
        thumbprint = CertificateThumbprint(ofDER: bytes)
        isTrusted = chain != nil
        let all = chain ?? [certificate]
        let begins = all.map(\.notValidBefore).max() ?? certificate.notValidBefore
        let ends = all.map(\.notValidAfter).min() ?? certificate.notValidAfter
        validity = begins...max(begins, ends)
        subject = DistinguishedNameText(certificate.subject)
        let names = (try? certificate.extensions.subjectAlternativeNames).flatMap { $0 }.map { Array($0) } ?? []
        alternatives = names.compactMap { name in
            switch name {
            case .dnsName(let text): .dns(text.lowercased())
            case .uniformResourceIdentifier(let text): .uri(text)
            case .ipAddress(let bytes): .ip(Array(bytes.bytes))
            case .rfc822Name(let text): .email(text)
            default: nil
            }
        }
    }

    /// Whether the certificate is valid now; a connection may outlive it.
    package func isValid(at now: Date) -> Bool { validity.contains(now) }

    /// Whether the certificate has this name.
    ///
    /// Standard: RFC 8705 §2.1.2.
    package func hasName(_ name: CertificateName) -> Bool {
        switch name {
        case .subject(let text): subject != nil && subject == DistinguishedNameText(text)
        case .dns(let text): alternatives.contains(.dns(text.lowercased()))
        case .uri(let text): alternatives.contains(.uri(text))
        case .ip(let text): CertificateName.address(text).map { alternatives.contains(.ip($0)) } ?? false
        case .email(let text): alternatives.contains(.email(text))
        }
    }
}

extension DistinguishedNameText {
    /// The name in a certificate; `nil` for an empty one, and for one with a value that is no text.
    fileprivate init?(_ name: DistinguishedName) {
        var names: [[Attribute]] = []
        for relative in name.reversed() {
            var attributes: [Attribute] = []
            for attribute in relative {
                guard let value = String(attribute.value) else { return nil }
                attributes.append(Attribute(type: attribute.type.description, value: value))
            }
            names.append(attributes)
        }
        guard !names.isEmpty else { return nil }
        self.init(names)
    }
}
