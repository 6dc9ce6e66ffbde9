internal import Configuration
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads how much memory the server may use.
enum MemorySettings {
    private static let smallest = 64 << 20

    /// The limit of the control group or of the settings, whichever is smaller; without both, the machine's memory.
    static func limit(in settings: ConfigReader) throws -> MemoryLimit {
        let text = settings.string(forKey: "memory")
        let bytes = text.flatMap(MemoryLimit.bytes(parsing:))
        guard text == nil || bytes.map({ $0 >= smallest }) == true else {
            throw Failure("The setting memory is a number of bytes, as in 512M or 2G; at least 64M.", status: .usage)
        }
        return MemoryLimit(asked: bytes) { path in
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
