import Testing

/// Strangers who do their worst, by the networks that they come from.
enum StrangerCrowd: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case oneAddress, manyAddresses, oneHolder, everywhere

    var testDescription: String {
        switch self {
        case .oneAddress: "one address"
        case .manyAddresses: "the 256 addresses of a /24"
        case .oneHolder: "an IPv6 /48"
        case .everywhere: "10,000 networks"
        }
    }

    /// The number of their networks, as limits count them.
    var networks: Int {
        switch self {
        case .oneAddress: 1
        case .manyAddresses: 256
        case .oneHolder: 65_536
        case .everywhere: 10_000
        }
    }

    /// The address of one of them; consecutive numbers are different networks, as far as they have any.
    func address(_ number: Int) -> String {
        let network = number % networks
        return switch self {
        case .oneAddress: "203.0.113.9"
        case .manyAddresses: "203.0.113.\(network)"
        case .oneHolder: "2001:db8:77:\(String(network, radix: 16))::1"
        case .everywhere: "100.\(network / 250).\(network % 250).9"
        }
    }
}
