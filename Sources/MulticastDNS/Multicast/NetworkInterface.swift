#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An interface of this machine, and its addresses.
struct NetworkInterface: Sendable, Hashable {
    /// An address with the length of its prefix.
    struct Address: Sendable, Hashable {
        /// 4 or 16 bytes.
        let bytes: [UInt8]
        /// The number of leading bits that all addresses of the link share.
        let prefixLength: Int

        /// Whether `other` is on the same link by its prefix.
        func hasOnLink(_ other: [UInt8]) -> Bool {
            guard other.count == bytes.count else { return false }
            return zip(bytes, other).enumerated().allSatisfy { index, pair in
                let bits = min(8, max(0, prefixLength - 8 * index))
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
                return pair.0 & mask == pair.1 & mask
            }
        }
    }

    /// Its name, such as `eth0`.
    let name: String
    /// Its number, which socket options use.
    let index: UInt32
    /// Whether it is a loopback interface.
    let isLoopback: Bool
    /// Whether it supports multicast, and is not point-to-point.
    let isShared: Bool
    /// Whether it is up, and has a carrier.
    let isRunning: Bool
    /// Its addresses, in the order of the system's list.
    let addresses: [Address]

    /// The first IPv4 address, if there is one.
    var version4: [UInt8]? { addresses.first { $0.bytes.count == 4 }?.bytes }
    /// Whether there is an IPv6 address.
    var hasVersion6: Bool { addresses.contains { $0.bytes.count == 16 } }
}

/// The interfaces to use.
public enum InterfaceSelection: Sendable, Hashable {
    /// The interfaces that lead to a network; the loopback interface only when there is none.
    case all
    /// These, by name; the loopback interface works, too.
    case named(Set<String>)

    /// Those of `interfaces` that are selected and can be used now.
    func usable(of interfaces: [NetworkInterface]) -> [NetworkInterface] {
        let running = interfaces.filter { $0.isRunning && !$0.addresses.isEmpty }
        switch self {
        case .named(let names): return running.filter { names.contains($0.name) }
        case .all:
            let networks = running.filter { $0.isShared && !$0.isLoopback }
            return networks.isEmpty ? running.filter(\.isLoopback) : networks
        }
    }
}

extension NetworkInterface {
    static func current() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String: (flags: UInt32, addresses: [Address])] = [:]
        var entry = first
        while let current = entry {
            let item = current.pointee
            entry = item.ifa_next
            let name = Self.name(ofLabel: String(cString: item.ifa_name))
            found[name, default: (UInt32(item.ifa_flags), [])].flags = UInt32(item.ifa_flags)
            guard let bytes = addressBytes(item.ifa_addr) else { continue }
            let prefix = addressBytes(item.ifa_netmask, ofLength: bytes.count).map(leadingOnes) ?? 8 * bytes.count
            found[name]?.addresses.append(Address(bytes: bytes, prefixLength: prefix))
        }
        return found.sorted { $0.key < $1.key }.map { name, seen in
            let has = { (flag: Int) in seen.flags & UInt32(flag) != 0 }
            return NetworkInterface(
                name: name,
                index: if_nametoindex(name),
                isLoopback: has(Int(IFF_LOOPBACK)),
                isShared: has(Int(IFF_MULTICAST)) && !has(Int(IFF_POINTOPOINT)),
                isRunning: has(Int(IFF_UP)) && has(Int(IFF_RUNNING)),
                addresses: seen.addresses
            )
        }
    }

    /// The interface that an address with a label belongs to: Linux lists an IPv4 alias of `eth0` as `eth0:1`.
    static func name(ofLabel label: String) -> String { String(label.prefix { $0 != ":" }) }

    /// The address within the system's structure: at byte 4 for IPv4, at byte 8 for IPv6, on every system.
    private static func addressBytes(_ address: UnsafeMutablePointer<sockaddr>?, ofLength length: Int? = nil)
        -> [UInt8]?
    {
        guard let address else { return nil }
        let raw = UnsafeRawPointer(address)
        let family = Int32(address.pointee.sa_family)
        let wanted = length ?? (family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0)
        guard wanted > 0 else { return nil }
        return (0..<wanted).map { raw.load(fromByteOffset: (wanted == 4 ? 4 : 8) + $0, as: UInt8.self) }
    }

    /// The number of leading bits of a mask that are set.
    private static func leadingOnes(_ mask: [UInt8]) -> Int {
        var count = 0
        for byte in mask {
            count += (~byte).leadingZeroBitCount
            if byte != 0xFF { break }
        }
        return count
    }
}
