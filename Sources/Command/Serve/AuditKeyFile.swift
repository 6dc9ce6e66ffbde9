internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The file with the key that signs the end of the audit.
struct AuditKeyFile: Sendable {
    /// The name of the file in the data directory, where no other is named.
    static let name = "audit-key.pem"

    let path: String

    /// The file in the settings, else the one next to the embedded database; `nil` for a shared database.
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
    /// - Throws: a ``CommandError`` when the file cannot be read or written, can be read by others, or holds something
    ///   else.
    func key() throws -> AuditSealKey {
        if let key = try existing() { return key }
        let (directory, name) = PrivateDirectory.containing(fileAt: path)
        do throws(PrivateFileError) {
            _ = try directory.create(name, holding: Array(AuditSealKey().pem.utf8))
        } catch {
            throw failure(error)
        }
        // Another process may have made it first.
        guard let key = try existing() else {
            throw CommandError("The key of the audit, \(path), was removed meanwhile.")
        }
        return key
    }

    /// The warning about a key that had to be made though a server ran on the database before.
    static let anotherKeyWords = """
        there was no key of the audit, so a new one signs its head; heads that were signed before need the key of that \
        time, or its public half
        """

    /// The key in the file, and whether it had to be made though a server ran on this database before. Then the key
    /// that signed until then was lost or taken away, and the audit says that there is another one.
    ///
    /// - Parameters:
    ///   - store: The store whose audit the key seals.
    ///   - actor: The party that needs the key.
    /// - Throws: what ``key()`` throws, or an error of the store.
    func key(
        sealing store: any Store,
        for actor: AuditActor,
        at now: Date
    ) async throws -> (key: AuditSealKey, isAnother: Bool) {
        if let key = try existing() { return (key: key, isAnother: false) }
        return try await store.change { repositories in
            let isAnother = try !repositories.serverKeys.all().isEmpty
            if isAnother { try Audit(repositories).record(AuditEntry.Facts(at: now, .auditKeyAdded, by: actor)) }
            // Made last, so that there is no key without its entry.
            return (key: try key(), isAnother: isAnother)
        }
    }

    /// The key in the file; `nil` if there is no file.
    ///
    /// - Throws: a ``CommandError`` when the file cannot be read, can be read by others, or holds something else.
    func existing() throws -> AuditSealKey? {
        let (directory, name) = PrivateDirectory.containing(fileAt: path)
        do throws(PrivateFileError) {
            guard let bytes = try directory.read(name, refusesExposed: true) else { return nil }
            guard let pem = String(validating: bytes, as: UTF8.self), let key = try? AuditSealKey(pem: pem) else {
                throw PrivateFileError(.notRead, because: "\(path) holds no key on P-256 as PEM")
            }
            return key
        } catch {
            throw failure(error)
        }
    }

    /// Checks whether a usable key exists or can be made, and makes none.
    ///
    /// - Throws: a ``CommandError`` when neither is so.
    func tried() throws {
        guard try existing() == nil else { return }
        var place = URL(fileURLWithPath: path).deletingLastPathComponent()
        while FileStatus(following: place.path) == nil, place.path != "/" { place.deleteLastPathComponent() }
        guard access(place.path, W_OK | X_OK) == 0 else {
            throw CommandError(
                "There is no key of the audit, and this user may not make \(path). Make it, or name another file with "
                    + "--audit-key."
            )
        }
    }

    /// Makes sure that root makes no key that the server, which runs as the owner of the directory, may not read.
    ///
    /// - Throws: a ``CommandError`` that names the user who has to make it.
    func requireReadableByOwner() throws {
        let (directory, name) = PrivateDirectory.containing(fileAt: path)
        guard geteuid() == 0, !directory.has(name), let owner = FileStatus(following: directory.path)?.owner, owner != 0
        else { return }
        throw CommandError(
            "There is no key of the audit yet, and the server may not read one of root's in \(directory.path). "
                + "Run this as the user who runs the server: sudo -u '#\(owner)' countersign admin audit seal"
        )
    }

    private func failure(_ error: PrivateFileError) -> CommandError {
        guard error.code == .notRead, access(path, R_OK) != 0, errno == EACCES else {
            let reason = error.reason.contains(path) ? error.reason : "\(path): \(error.reason)"
            return CommandError("The key of the audit cannot be used: \(reason).")
        }
        return CommandError(
            "This user may not read the key of the audit, \(path). Give it to this user: chown \(geteuid()) \(path)")
    }

    /// The verifier of heads that this key signed; the file may hold the public half alone.
    ///
    /// - Throws: a ``CommandError`` when the file cannot be read or holds something else.
    func verifier() throws -> AuditSealKey.Verifier {
        let bytes = try FileManager.default.contents(atPath: path).or(
            failure: "The key of the audit, \(path), cannot be read. Name it with --key.")
        let pem = try SuppliedText.text(bytes, of: "The key of the audit, \(path),")
        return try (try? AuditSealKey.Verifier(pem: pem)).or(failure: "\(path) holds no key on P-256 as PEM.")
    }
}
