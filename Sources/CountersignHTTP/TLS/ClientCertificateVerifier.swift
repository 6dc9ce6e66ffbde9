internal import CountersignWire
public import FoundationEssentialsCompat
internal import SwiftASN1

@_spi(FixedExpiryValidationTime) internal import X509

/// Verifies the certificates of clients on TLS connections, by the authorities that the operator trusts.
///
/// Standard: RFC 8705 §2.1; RFC 5280 §6.
public final class ClientCertificateVerifier: Sendable {
    /// The most certificates that a client may send.
    private static let longestChain = 8

    private let authorities: [Certificate]

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - bytes: The certificates of the trusted authorities, as PEM.
    ///   - path: The path of their file, for the error.
    /// - Throws: ``ServerCertificateError`` `noCertificate`.
    public init(authorities bytes: Data, path: String) throws(ServerCertificateError) {
        do {
            let documents = try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
            authorities = try documents.map { try Certificate(pemDocument: $0) }
        } catch {
            throw ServerCertificateError(.noCertificate, path: path, reason: "\(error)")
        }
        guard !authorities.isEmpty else {
            throw ServerCertificateError(.noCertificate, path: path, reason: "it holds none")
        }
    }

    /// The certificate that a client proved; `nil` when it cannot be read.
    ///
    /// The result need not be trusted: a client may have registered a certificate that it signed itself.
    ///
    /// - Parameters:
    ///   - chain: The certificates that the client sent, in DER; its own certificate first.
    ///   - now: The current time.
    func verified(_ chain: [[UInt8]], at now: Date) async -> PresentedCertificate? {
        guard let own = chain.first, chain.count <= Self.longestChain, let leaf = try? Certificate(derEncoded: own)
        else { return nil }
        let others = chain.dropFirst().compactMap { try? Certificate(derEncoded: $0) }
        return PresentedCertificate(
            leaf,
            der: own,
            trustedBy: await path(from: leaf, over: others, at: now)
        )
    }

    /// The valid path from a certificate to an authority; `nil` when there is none.
    private func path(from leaf: Certificate, over others: [Certificate], at now: Date) async -> [Certificate]? {
        var verifier = Verifier(rootCertificates: CertificateStore(authorities)) {
            RFC5280Policy(fixedExpiryValidationTime: now)
            ClientUsePolicy()
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore(others))
        guard case .validCertificate(let path) = result else { return nil }
        return Array(path)
    }
}

/// Requires that the certificate allows clients of TLS, or does not limit its use. Its names are compared when a client
/// authenticates.
///
/// Standard: RFC 5280 §4.2.1.6, §4.2.1.12.
private struct ClientUsePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        let extensions = chain.leaf.extensions
        guard extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil else { return .meetsPolicy }
        guard let uses = try? extensions.extendedKeyUsage, uses.contains(.clientAuth) || uses.contains(.any) else {
            return .failsToMeetPolicy(reason: "the certificate is not for clients of TLS")
        }
        return .meetsPolicy
    }
}
