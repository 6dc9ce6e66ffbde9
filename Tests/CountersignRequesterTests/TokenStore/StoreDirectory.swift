import Countersign
import CountersignTesting
import Foundation

@testable import CountersignRequester

/// A directory for a store, of its own for each test and gone after it.
final class StoreDirectory: Sendable {
    let directory: String
    private let place: String

    init() {
        place = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID().uuidString)").path()
        directory = "\(place)/below/tokens"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: place)
    }

    /// A store of this directory, as each process and each start of an app has one of its own.
    func store(
        _ group: TokenGroup = .standard,
        sealedBy keyPlace: (any SealingKeyStore)? = nil,
        lockTimeout: Duration = .seconds(1200)
    ) -> SealedFileTokenStore {
        SealedFileTokenStore(
            directory: directory,
            group: group,
            sealedBy: keyPlace,
            lockTimeout: lockTimeout,
            clock: .system,
            drawingFrom: .system
        )
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Makes a file, and the directory where there is none.
    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path(name)))
        try setMode(mode, of: name)
    }

    func mode(of name: String? = nil) throws -> Int? {
        let path = name.map(path) ?? directory
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }
}

extension TokenStoreKey {
    /// A key like others.
    static let example = TokenStoreKey(.signIn, "https://id.example.com", "../kitchen/radio")
    /// A key of another kind.
    static let service = TokenStoreKey(.crossPlatformToken, "https://cpa.example.com", "sp.example.com:8002")
}

extension [UInt8] {
    /// The bytes of a text, as an item.
    static func item(_ text: String) -> [UInt8] { Array(text.utf8) }
}
