internal import Countersign
internal import Foundation

/// A place that the system visits on its way along a path: a folder, a link, or the file at the end.
struct PathPlace: Sendable, Equatable {
    /// The kind of a place.
    enum Kind: Sendable, Equatable {
        case folder
        case file
        /// A link, with the path that it names.
        case link(String)
    }

    let path: String
    let kind: Kind
    /// The user who owns it.
    let owner: UInt32
    /// The permission bits, with the sticky bit.
    let permissions: Int

    /// The greatest number of links on a way, which is the kernel's: MAXSYMLINKS.
    private static let mostLinks = 40

    /// Whether only root can change it, or put another in the place of what root has there.
    var isForRootAlone: Bool {
        guard owner == 0 else { return false }
        return switch kind {
        // Its permissions count for nothing: nobody can change a link, only replace it.
        case .link: true
        case .folder: permissions & 0o022 == 0 || permissions & 0o1000 != 0
        case .file: permissions & 0o022 == 0
        }
    }

    /// The places along a path, link by link; `nil` where one is missing, or the links have no end.
    ///
    /// Standard: path_resolution(7).
    ///
    /// - Parameter look: Looks at a place itself, which may be a link.
    static func visited(
        along path: String, looking look: (_ path: String) -> PathPlace? = { PathPlace(at: $0) }
    ) -> [PathPlace]? {
        let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        guard let root = look("/") else { return nil }
        var (places, folders, links) = ([root], [Substring](), 0)
        var ahead = Array(whole.split(separator: "/").reversed())
        while let name = ahead.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = folders.popLast()
                continue
            }
            guard let place = look("/\((folders + [name]).joined(separator: "/"))") else { return nil }
            places.append(place)
            guard case .link(let target) = place.kind else {
                folders.append(name)
                continue
            }
            links += 1
            guard links <= mostLinks else { return nil }
            if target.hasPrefix("/") { folders = [] }
            ahead += target.split(separator: "/").reversed()
        }
        return places
    }
}

extension PathPlace {
    /// Looks at a place itself, which may be a link; `nil` where there is none.
    init?(at path: String) {
        guard let status = FileStatus(at: path) else { return nil }
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        let kind: Kind = status.kind == .directory ? .folder : target.map(Kind.link) ?? .file
        self.init(path: path, kind: kind, owner: status.owner, permissions: status.permissions)
    }
}
