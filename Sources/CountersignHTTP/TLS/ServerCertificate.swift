public import Countersign
public import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers
internal import NIOSSL

/// The server's TLS certificate and its key, two files that are read again when they change.
///
/// Open connections keep the pair with which they began; each new one gets the newest valid pair. So a certificate is
/// renewed by replacing the files, and a mistake in them keeps the old certificate.
public final class ServerCertificate: Sendable {
    /// The file with the certificate, followed by its chain; PEM.
    public let certificatePath: String
    /// The file with the certificate's private key; PEM, without a passphrase.
    public let keyPath: String

    private struct LoadState: Sendable {
        var pair: Pair
        /// The files when they were last read, successfully or not.
        var files: [FileFingerprint]
    }

    private let state: NIOLockedValueBox<LoadState>

    /// Reads both files.
    ///
    /// - Throws: ``ServerCertificateError``.
    public init(certificatePath: String, keyPath: String) throws(ServerCertificateError) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        let files = [FileFingerprint(of: certificatePath), FileFingerprint(of: keyPath)]
        let pair = try Pair(certificatePath: certificatePath, keyPath: keyPath)
        state = NIOLockedValueBox(LoadState(pair: pair, files: files))
    }

    /// The expiry of the current certificate.
    public var expires: Date { state.withLockedValue { $0.pair.expires } }
    /// The start of the current certificate's validity.
    public var begins: Date { state.withLockedValue { $0.pair.begins } }
    /// The host names of the current certificate; a wildcard as it is written.
    public var hostNames: [String] { state.withLockedValue { $0.pair.hostNames } }

    /// The current certificate, and its public key as SubjectPublicKeyInfo, both in DER.
    package var leaf: (certificate: [UInt8], publicKey: [UInt8]) { state.withLockedValue { $0.pair.leaf } }

    /// The TLS context of new connections.
    var context: NIOSSLContext { state.withLockedValue { $0.pair.context } }

    /// A new TLS context for one connection, which asks the client for a certificate and accepts that it has none.
    ///
    /// - Throws: `NIOSSLError`.
    func contextAskingClients() throws -> NIOSSLContext {
        var configuration = state.withLockedValue { $0.pair.configuration }
        configuration.certificateVerification = .optionalVerification
        // A callback verifies the client's certificate, without the authorities of the system.
        configuration.trustRoots = .certificates([])
        return try NIOSSLContext(configuration: configuration)
    }

    /// Reads a new pair if the files changed since they were last read, or in any case when `isAsked`.
    ///
    /// - Returns: whether there is a new pair.
    /// - Throws: ``ServerCertificateError``, once for each change; the old pair stays.
    @discardableResult
    public func reload(isAsked: Bool = false) throws(ServerCertificateError) -> Bool {
        let files = [FileFingerprint(of: certificatePath), FileFingerprint(of: keyPath)]
        let isNew = state.withLockedValue { state in
            defer { state.files = files }
            return state.files != files
        }
        guard isNew || isAsked else { return false }
        let pair = try Pair(certificatePath: certificatePath, keyPath: keyPath)
        state.withLockedValue { $0.pair = pair }
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
        let chain = try Self.attempt(.noCertificate, certificatePath) {
            try NIOSSLCertificate.fromPEMBytes(try Self.bytes(of: certificatePath))
        }
        guard let leaf = chain.first else {
            throw ServerCertificateError(.noCertificate, path: certificatePath, reason: "it holds none")
        }
        // A missing file passes here: reading it below throws.
        guard FileStatus(following: keyPath)?.isExposed(at: keyPath) != true else {
            throw ServerCertificateError(.keyIsOpen, path: keyPath, reason: "")
        }
        let key = try Self.attempt(.noKey, keyPath) {
            try NIOSSLPrivateKey(bytes: try Self.bytes(of: keyPath), format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        self.configuration = configuration
        context = try Self.attempt(.keyOfAnother, keyPath) {
            try NIOSSLContext(configuration: configuration)
        }
        self.leaf = try Self.attempt(.noCertificate, certificatePath) {
            (try leaf.toDERBytes(), try leaf.extractPublicKey().toSPKIBytes())
        }
        begins = Date(timeIntervalSince1970: TimeInterval(leaf.notValidBefore))
        expires = Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
        hostNames = leaf._subjectAlternativeNames().compactMap { name in
            guard case .dnsName = name.nameType else { return nil }
            return String(decoding: name.contents, as: UTF8.self)
        }
    }

    private static func bytes(of path: String) throws(ServerCertificateError) -> [UInt8] {
        try attempt(.unreadable, path) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// Runs `body`; its error becomes one with this code, unless it has one.
    private static func attempt<Value>(
        _ code: ServerCertificateError.Code,
        _ path: String,
        _ body: () throws -> Value
    ) throws(ServerCertificateError) -> Value {
        do {
            return try body()
        } catch let error as ServerCertificateError {
            throw error
        } catch {
            throw ServerCertificateError(code, path: path, reason: "\(error)")
        }
    }
}

/// The metadata of a file, which differ after each change.
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

/// A certificate or key that cannot be used, with a sentence for the operator.
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

    package init(_ code: Code, path: String, reason: String) {
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
