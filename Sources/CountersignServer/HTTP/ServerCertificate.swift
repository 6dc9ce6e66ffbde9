public import Countersign
internal import NIOConcurrencyHelpers
internal import NIOSSL
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The server's TLS certificate and its key, two files that are read again when they change.
///
/// Open connections keep the pair that they began with; each new one gets the newest valid pair. So a
/// certificate is renewed by replacing the files, and a mistake in them keeps the old certificate.
public final class ServerCertificate: Sendable {
    /// The file with the certificate, followed by its chain; PEM.
    public let certificatePath: String
    /// The file with the certificate's private key; PEM, without a passphrase.
    public let keyPath: String

    private struct LoadState: Sendable {
        var pair: Pair
        /// The state of the files when they were last read, successfully or not.
        var seen: [FileFingerprint]
    }

    private let held: NIOLockedValueBox<LoadState>

    /// Reads both files.
    ///
    /// - Throws: ``ServerCertificateError``.
    public init(certificatePath: String, keyPath: String) throws(ServerCertificateError) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        let seen = [FileFingerprint(of: certificatePath), FileFingerprint(of: keyPath)]
        held = NIOLockedValueBox(
            LoadState(pair: try Pair(certificatePath: certificatePath, keyPath: keyPath), seen: seen))
    }

    /// The expiry of the current certificate.
    public var expires: Date { held.withLockedValue { $0.pair.expires } }
    /// The start of the current certificate's validity.
    public var begins: Date { held.withLockedValue { $0.pair.begins } }
    /// The host names of the current certificate; a wildcard as it is written.
    public var hostNames: [String] { held.withLockedValue { $0.pair.hostNames } }

    /// The current certificate, and its public key as SubjectPublicKeyInfo, both in DER.
    var leaf: (certificate: [UInt8], publicKey: [UInt8]) { held.withLockedValue { $0.pair.leaf } }

    /// The TLS context of new connections.
    var context: NIOSSLContext { held.withLockedValue { $0.pair.context } }

    /// A new TLS context for one connection, which asks the client for a certificate and accepts that it has none.
    ///
    /// - Throws: `NIOSSLError`.
    func contextAskingClients() throws -> NIOSSLContext {
        var configuration = held.withLockedValue { $0.pair.configuration }
        configuration.certificateVerification = .optionalVerification
        // A callback verifies what the client sends; the system's authorities are not loaded for it.
        configuration.trustRoots = .certificates([])
        return try NIOSSLContext(configuration: configuration)
    }

    /// Takes a new pair if the files changed since they were last read, or in any case when `isAsked`.
    ///
    /// - Returns: whether there is a new pair.
    /// - Throws: ``ServerCertificateError`` once for each change that cannot be used; the old pair stays.
    @discardableResult
    public func reload(isAsked: Bool = false) throws(ServerCertificateError) -> Bool {
        let seen = [FileFingerprint(of: certificatePath), FileFingerprint(of: keyPath)]
        let isNew = held.withLockedValue { held in
            defer { held.seen = seen }
            return held.seen != seen
        }
        guard isNew || isAsked else { return false }
        let pair = try Pair(certificatePath: certificatePath, keyPath: keyPath)
        held.withLockedValue { $0.pair = pair }
        return true
    }
}

/// A certificate and the key that belongs to it, ready for use.
private struct Pair: Sendable {
    let configuration: TLSConfiguration
    let context: NIOSSLContext
    let begins: Date
    let expires: Date
    let hostNames: [String]
    let leaf: (certificate: [UInt8], publicKey: [UInt8])

    init(certificatePath: String, keyPath: String) throws(ServerCertificateError) {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(try Self.bytes(of: certificatePath))
        } catch let error as ServerCertificateError {
            throw error
        } catch {
            throw ServerCertificateError(.noCertificate, path: certificatePath, reason: "\(error)")
        }
        guard let leaf = chain.first else {
            throw ServerCertificateError(.noCertificate, path: certificatePath, reason: "it holds none")
        }
        // A missing file passes here: reading it below throws.
        guard FileStatus(following: keyPath)?.isExposed(at: keyPath) != true else {
            throw ServerCertificateError(.keyIsOpen, path: keyPath, reason: "")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(bytes: try Self.bytes(of: keyPath), format: .pem)
        } catch let error as ServerCertificateError {
            throw error
        } catch {
            throw ServerCertificateError(.noKey, path: keyPath, reason: "\(error)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        self.configuration = configuration
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ServerCertificateError(.keyOfAnother, path: keyPath, reason: "\(error)")
        }
        do {
            self.leaf = (try leaf.toDERBytes(), try leaf.extractPublicKey().toSPKIBytes())
        } catch {
            throw ServerCertificateError(.noCertificate, path: certificatePath, reason: "\(error)")
        }
        begins = Date(timeIntervalSince1970: TimeInterval(leaf.notValidBefore))
        expires = Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
        hostNames = leaf._subjectAlternativeNames().compactMap { name in
            guard case .dnsName = name.nameType else { return nil }
            return String(decoding: name.contents, as: UTF8.self)
        }
    }

    private static func bytes(of path: String) throws(ServerCertificateError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw ServerCertificateError(.unreadable, path: path, reason: "\(error)")
        }
    }
}

/// The metadata of a file, which differ after every change of it.
private struct FileFingerprint: Sendable, Equatable {
    let modified: Date?
    let size: Int?
    let number: Int?
    /// The mode bits; 0 where there is no file.
    let rights: Int
    let accessList: AccessControlList?

    init(of path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = (try? FileManager.default.attributesOfItem(atPath: target)) ?? [:]
        modified = attributes[.modificationDate] as? Date
        size = attributes[.size] as? Int
        number = attributes[.systemFileNumber] as? Int
        rights = attributes[.posixPermissions] as? Int ?? 0
        accessList = AccessControlList(of: target)
    }
}

/// Why a certificate or its key cannot be used, in a sentence for the person who runs the server.
public struct ServerCertificateError: CodedError, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable, CaseIterable {
        case unreadable
        case noCertificate
        case noKey
        /// The key is not the certificate's.
        case keyOfAnother
        /// A group or other users may read or write the key.
        case keyIsOpen
    }

    /// The kind of failure.
    public let code: Code
    /// The file that cannot be used.
    public let path: String
    /// The message of the system, for the log.
    public let reason: String

    init(_ code: Code, path: String, reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// The failure, and what to try.
    public var description: String {
        switch code {
        case .unreadable: "The file \(path) cannot be read. See that it exists and that this user may read it."
        case .noCertificate:
            "The file \(path) holds no certificate in PEM form. It begins with -----BEGIN CERTIFICATE-----, and"
                + " those that vouch for it follow in the same file."
        case .noKey:
            "The file \(path) holds no private key in PEM form. It begins with -----BEGIN PRIVATE KEY----- and has"
                + " no passphrase."
        case .keyOfAnother:
            "The key in \(path) does not belong to the certificate. Name the pair that was made together."
        case .keyIsOpen:
            "Others than its owner may read or write the key \(path). Take that right away: chmod 600 \(path)"
        }
    }
}
