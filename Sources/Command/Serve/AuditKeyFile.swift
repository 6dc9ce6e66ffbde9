internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The file with the key that signs where the audit ends.
struct AuditKeyFile: Sendable {
    /// The name of the file in the data directory, where no other is named.
    static let name = "audit-key.pem"

    let path: String

    /// The file that the settings name, else the one beside the embedded database; `nil` for a shared database.
    init?(_ settings: ConfigReader) {
        if let path = settings.string(forKey: "audit-key") {
            self.path = path
        } else if settings.string(forKey: "database") == nil {
            path = DataLocation(settings).directory.appendingPathComponent(Self.name).path
        } else {
            return nil
        }
    }

    init(path: String) {
        self.path = path
    }

    /// The key in the file; a new one, if there is no file.
    ///
    /// - Throws: a ``Failure`` when the file cannot be read or written, can be read by others, or holds something else.
    func key() throws -> AuditSealKey {
        let (directory, name) = PrivateDirectory.containing(fileAt: path)
        do throws(PrivateFileError) {
            if try directory.read(name) == nil {
                _ = try directory.create(name, holding: Array(AuditSealKey().pem.utf8))
            }
            guard let bytes = try directory.read(name, refusesExposed: true),
                let key = try? AuditSealKey(pem: String(decoding: bytes, as: UTF8.self))
            else { throw PrivateFileError(.notRead, because: "\(path) holds no key on P-256 as PEM") }
            return key
        } catch {
            throw Failure("The key of the audit cannot be used: \(error.reason).")
        }
    }

    /// What verifies heads that this key signed; the file may hold the public half alone.
    ///
    /// - Throws: a ``Failure`` when the file cannot be read or holds something else.
    func verifier() throws -> AuditSealKey.Verifier {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("The key of the audit, \(path), cannot be read. Name it with --key.")
        }
        guard let verifier = try? AuditSealKey.Verifier(pem: String(decoding: bytes, as: UTF8.self)) else {
            throw Failure("\(path) holds no key on P-256 as PEM.")
        }
        return verifier
    }
}
