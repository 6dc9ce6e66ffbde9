package struct LinkVersion: Sendable, Hashable, Comparable {
    package let number: UInt8

    package init(_ number: UInt8) { self.number = number }

    /// The one that this library speaks.
    package static let first = LinkVersion(1)

    /// Orders versions by their numbers.
    package static func < (left: LinkVersion, right: LinkVersion) -> Bool { left.number < right.number }
}

/// The versions that one end speaks: one to eight, in ascending order.
package struct LinkVersions: Sendable, Equatable {
    /// The versions, in ascending order.
    package let all: [LinkVersion]

    /// The versions that this library speaks.
    package static let ours = LinkVersions(all: [.first])

    /// Versions that are sorted already.
    private init(all: [LinkVersion]) { self.all = all }

    /// Any versions, put in order; `nil` for none, and for more than eight.
    package init?(_ versions: Set<LinkVersion>) {
        guard (1...8).contains(versions.count) else { return nil }
        all = versions.sorted()
    }

    /// Reads a number and as many versions; `nil` unless they are in order and `bytes` end with them.
    package init?(parsing bytes: some Collection<UInt8>) {
        guard let count = bytes.first, (1...8).contains(count), bytes.count == 1 + Int(count) else { return nil }
        all = bytes.dropFirst().map { LinkVersion($0) }
        guard zip(all, all.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    }

    /// The number of versions, then the versions.
    package var bytes: [UInt8] { [UInt8(all.count)] + all.map(\.number) }

    /// Whether a version is among them.
    package func contains(_ version: LinkVersion) -> Bool { all.contains(version) }

    /// The highest common version; `nil` when there is none.
    package func highest(sharedWith other: LinkVersions) -> LinkVersion? { all.last { other.contains($0) } }
}

/// The beginning of frame 1: the version that the requester uses, and all that it supports.
///
/// It is part of the prologue, so that an attacker cannot shorten the list.
package struct Hello: Sendable, Equatable {
    /// The first bytes of every hello.
    private static let mark = Array("CSNB".utf8)

    /// The version of the rest of frame 1.
    package let version: LinkVersion
    /// The versions that the requester speaks.
    package let offered: LinkVersions

    /// - Returns: `nil` when the version is not offered.
    package init?(version: LinkVersion, offered: LinkVersions) {
        guard offered.contains(version) else { return nil }
        self.version = version
        self.offered = offered
    }

    /// Reads a hello from the front of a frame.
    package init?(parsingFrontOf frame: [UInt8]) {
        guard frame.starts(with: Self.mark), frame.count > 5 else { return nil }
        let end = 6 + Int(frame[5])
        guard frame.count >= end, let offered = LinkVersions(parsing: frame[5..<end]) else { return nil }
        self.init(version: LinkVersion(frame[4]), offered: offered)
    }

    /// The encoded hello, in frame 1 and in the prologue.
    package var bytes: [UInt8] { Self.mark + [version.number] + offered.bytes }

    /// The prologue of the handshake, which must be the same at both ends.
    package func prologue(for app: NearbyAppID) -> [UInt8] {
        let name = Array(app.rawValue.utf8)
        return Array("Countersign nearby".utf8) + [0] + bytes + [UInt8(name.count)] + name
    }
}
