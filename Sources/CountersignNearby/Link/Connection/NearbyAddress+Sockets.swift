internal import NIOCore

extension NearbyAddress {
    /// The address of an end of a connection; an empty one when it has none.
    init(_ address: SocketAddress?) { self.init(address?.ipAddress ?? "") }
}

extension InterfaceSelection {
    /// Whether an address of this device belongs to a selected interface.
    func lead(to own: NearbyAddress) -> Bool {
        guard case .named(let names) = self else { return true }
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { names.contains($0.name) && NearbyAddress($0.address) == own }
    }
}
