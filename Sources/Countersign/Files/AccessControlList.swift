#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import FoundationEssentialsCompat

/// The users and groups besides the owner that may use a file, by its POSIX access control list.
///
/// A file with such a list shows the list's mask where others show the rights of the group: a file with mode 0400 that
/// one more user may read has mode 0440, and still no group may read it.
///
/// Standard: POSIX.1e draft 17 §23.1.2 (what an entry allows); Linux `posix_acl_xattr.h` (the form in bytes).
package struct AccessControlList: Sendable, Equatable {
    /// The users named in the list who have a right.
    package let users: Set<UInt32>
    /// Whether the group of the file has a right, or a group named in the list.
    package let isOpenToGroups: Bool
    /// Whether all other users have a right.
    package let isOpenToOthers: Bool

    private enum Tag: UInt32 {
        case owner = 0x01
        case user = 0x02
        case owningGroup = 0x04
        case group = 0x08
        case mask = 0x10
        case others = 0x20
    }

    private struct Entry {
        let tag: Tag
        let rights: UInt32
        let id: UInt32
    }

    /// Reads a list as Linux stores it: the version, 2, and eight bytes for each entry, all little-endian.
    ///
    /// - Returns: `nil` for bytes of another form, and for a list without one of the entries that each list has.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count % 8 == 4, Self.number(bytes[0..<4]) == 2 else { return nil }
        var entries: [Entry] = []
        for start in stride(from: 4, to: bytes.count, by: 8) {
            let rights = Self.number(bytes[(start + 2)..<(start + 4)])
            guard let tag = Tag(rawValue: Self.number(bytes[start..<(start + 2)])), rights <= 0o7 else { return nil }
            entries.append(Entry(tag: tag, rights: rights, id: Self.number(bytes[(start + 4)..<(start + 8)])))
        }
        func rights(of tag: Tag) -> [UInt32] { entries.filter { $0.tag == tag }.map(\.rights) }
        let masks = rights(of: .mask)
        let named = entries.filter { $0.tag == .user || $0.tag == .group }
        guard rights(of: .owner).count == 1, rights(of: .owningGroup).count == 1, rights(of: .others).count == 1,
            masks.count == 1 || (masks.isEmpty && named.isEmpty)
        else { return nil }
        // The mask limits all entries but those of the owner and of others.
        let mask = masks.first ?? 0o7
        users = Set(entries.filter { $0.tag == .user && $0.rights & mask != 0 }.map(\.id))
        isOpenToGroups = entries.contains { ($0.tag == .owningGroup || $0.tag == .group) && $0.rights & mask != 0 }
        isOpenToOthers = rights(of: .others) != [0]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads the list of the file at `path`, following links; `nil` if the file or the system has none.
    package init?(of path: String) {
        #if os(Linux)
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: String(cString: target))
        let extended = attributes?[FileAttributeKey(rawValue: "NSFileExtendedAttributes")] as? [String: Data]
        guard let bytes = extended?["system.posix_acl_access"] else { return nil }
        self.init(Array(bytes))
        #else
        return nil
        #endif
    }

    /// Whether only the owner of the file and these users have rights.
    package func isPrivate(to users: Set<UInt32>) -> Bool {
        !isOpenToGroups && !isOpenToOthers && self.users.isSubset(of: users)
    }
}

extension FileStatus {
    /// Whether users other than its owner, root and the user of this process may use the file.
    ///
    /// - Parameter path: The path of the file, for its access control list; links are followed.
    package func isExposed(at path: String) -> Bool {
        guard permissions & 0o077 != 0 else { return false }
        guard permissions & 0o007 == 0, let list = AccessControlList(of: path) else { return true }
        return !list.isPrivate(to: [0, owner, geteuid()])
    }
}
