internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Logging

/// The sessions in a folder, one file each, named by the digest of the cookie: so a restart ends none.
struct SessionFiles: Sendable {
    private static let suffix = ".session"

    private let folder: PrivateDirectory
    private let logger: Logger

    init(in path: String, logger: Logger) {
        folder = Self.folder(in: path)
        self.logger = logger
    }

    /// The folder of the files, in that of the gate.
    static func folder(in path: String) -> PrivateDirectory { PrivateDirectory(path: "\(path)/sessions") }

    /// All sessions that can be read. A file that others may read is left out.
    func all() -> [SecretDigest: GateSession] {
        let names = (try? folder.names()) ?? []
        return names.reduce(into: [:]) { all, name in
            guard name.hasSuffix(Self.suffix), let digest = Self.digest(of: name),
                let bytes = try? folder.read(name, refusesExposed: true),
                let stored = try? JSONDecoder().decode(StoredSession.self, from: Data(bytes))
            else { return }
            all[digest] = stored.session
        }
    }

    /// Writes a session; one that cannot be written lives until the next restart.
    func put(_ session: GateSession, for digest: SecretDigest) {
        do {
            let bytes = try JSONEncoder().encode(StoredSession(session))
            try folder.replace(Self.name(of: digest), by: Array(bytes))
        } catch {
            logger.error("a session was not written", metadata: ["reason": "\(error)"])
        }
    }

    func remove(_ digest: SecretDigest) {
        do {
            try folder.remove(Self.name(of: digest))
        } catch {
            logger.error("a session was not removed", metadata: ["reason": "\(error.reason)"])
        }
    }

    private static func name(of digest: SecretDigest) -> String { URLSafeText.encode(digest.bytes) + suffix }

    private static func digest(of name: String) -> SecretDigest? {
        URLSafeText.decode(String(name.dropLast(suffix.count))).map { SecretDigest(restoring: $0) }
    }
}
