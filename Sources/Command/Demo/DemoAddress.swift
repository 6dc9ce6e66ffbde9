internal import CountersignWire
internal import NIOCore

/// The address at which phones on the local network reach the demo.
enum DemoAddress {
    /// Returns this machine's address on the local network.
    ///
    /// - Throws: a ``CommandError`` when there is none.
    static func onLocalNetwork() throws -> String {
        let addresses = try System.enumerateDevices().compactMap { $0.address?.ipAddress }
        return try chosen(from: addresses).or(
            failure: "This machine has no address on a local network. Name one that phones reach with --listen.")
    }

    /// Returns the first private address, or else the first one that other machines can reach.
    ///
    /// Addresses of version 6 are left out, since their text is too long to compare with that of a browser.
    ///
    /// - Parameter addresses: The addresses of this machine.
    static func chosen(from addresses: [String]) -> String? {
        let shared = addresses.filter { address in
            guard let bytes = AddressNetwork.bytes(of: address) else { return false }
            return bytes.count == 4 && !AddressNetwork.isLoopback(bytes) && !AddressNetwork.isLinkLocal(bytes)
        }
        return shared.first(where: AddressNetwork.isInternal) ?? shared.first
    }
}
