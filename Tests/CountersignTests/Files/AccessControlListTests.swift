import Countersign
import Foundation
import Testing

@Suite("The access control list of a file")
struct AccessControlListTests {
    private static let owner: [UInt8] = [0x01, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let closedGroup: [UInt8] = [0x04, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let closedOthers: [UInt8] = [0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let mask: [UInt8] = [0x10, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let user: [UInt8] = [0x02, 0, 4, 0, 0xD2, 0x04, 0, 0]

    private static func bytes(_ entries: [UInt8]...) -> [UInt8] { [2, 0, 0, 0] + entries.flatMap(\.self) }

    /// The bytes are those of `setfacl -m u:1234:r` for a file with mode 0600, which then has mode 0640.
    @Test func `names a user who may read, and no group`() throws {
        let list = try #require(
            AccessControlList(Self.bytes(Self.owner, Self.user, Self.closedGroup, Self.mask, Self.closedOthers)))
        #expect(list.users == [1234])
        #expect(!list.isOpenToGroups && !list.isOpenToOthers)
        #expect(list.isPrivate(to: [0, 1234]))
        #expect(!list.isPrivate(to: [0]))
    }

    @Test func `tells the rights of groups from its mask`() throws {
        let group: [UInt8] = [0x04, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        let named: [UInt8] = [0x08, 0, 4, 0, 0x07, 0, 0, 0]
        for bytes in [
            Self.bytes(Self.owner, group, Self.closedOthers),
            Self.bytes(Self.owner, Self.user, group, Self.mask, Self.closedOthers),
            Self.bytes(Self.owner, Self.closedGroup, named, Self.mask, Self.closedOthers),
        ] {
            let list = try #require(AccessControlList(bytes))
            #expect(list.isOpenToGroups && !list.isPrivate(to: [0, 1234]))
        }
    }

    @Test func `allows nothing that its mask takes away`() throws {
        let closedMask: [UInt8] = [0x10, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        let group: [UInt8] = [0x04, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        let list = try #require(
            AccessControlList(Self.bytes(Self.owner, Self.user, group, closedMask, Self.closedOthers)))
        #expect(list.users.isEmpty && list.isPrivate(to: []))
    }

    @Test func `is open when all others have a right`() throws {
        let others: [UInt8] = [0x20, 0, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        let list = try #require(AccessControlList(Self.bytes(Self.owner, Self.closedGroup, others)))
        #expect(list.isOpenToOthers && !list.isPrivate(to: [0]))
    }

    private static let malformed: [[UInt8]] = [
        [], [2, 0, 0], [2, 0, 0, 0],
        // Another version.
        [3, 0, 0, 0] + bytes(owner, closedGroup, closedOthers).dropFirst(4),
        // Cut off.
        bytes(owner, closedGroup, closedOthers).dropLast(),
        // Without the entry of others, with two of them, with a user but no mask.
        bytes(owner, closedGroup),
        bytes(owner, closedGroup, closedOthers, closedOthers),
        bytes(owner, user, closedGroup, closedOthers),
        // An unknown entry, and an unknown right.
        bytes(owner, closedGroup, closedOthers, [0x40, 0, 0, 0, 0, 0, 0, 0]),
        bytes(owner, closedGroup, [0x20, 0, 8, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
    ]

    @Test(arguments: malformed)
    func `is not read from bytes of another form`(bytes: [UInt8]) {
        #expect(AccessControlList(bytes) == nil)
    }

    @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o620, true), (0o604, true), (0o601, true)])
    func `is not needed to see who may use a file that has none`(mode: Int, isExposed: Bool) throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-exposure-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let (file, link) = (directory.path + "/key", directory.path + "/link")
        try Data("key".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for path in [file, link] {
            #expect(try #require(FileStatus(following: path)).isExposed(at: path) == isExposed)
        }
    }
}
