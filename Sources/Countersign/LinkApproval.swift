/// The rule for the extra proof required, after opening a request's link or scanning its QR code, before approval.
///
/// A link also reaches people far from the requesting screen: an attacker can mail the link of their own request. An
/// operator chooses one of these for each client; it is fixed for a request when the request is made.
///
/// Standard: RFC 10027 for the attack; RFC 8628 §3.3.1, which leaves the defence to the server.
public enum LinkApproval: String, Sendable, Hashable, Codable, CaseIterable {
    /// The link is enough, wherever it is opened.
    case always
    /// The link is enough in the network of the screen. Elsewhere the person types the code.
    case sameNetwork = "same-network"
    /// The link is enough in the network of the screen. Elsewhere the person types a number that the screen shows from
    /// then on, or the code where the screen can show no number.
    case number
}

/// The extra proof that is still missing after a person came by a link.
package enum LinkDemand: Sendable, Hashable {
    case nothing
    /// The number that the requesting screen shows now.
    case number
    /// The code, typed.
    case code
}

extension LinkApproval {
    /// The extra proof required after opening a link: none, the number, or the code.
    ///
    /// - Parameter network: Whether the screen and the person are in one network; unknown is treated as two.
    package func demand(in network: SameNetwork, showsNumber: Bool) -> LinkDemand {
        switch (self, network) {
        case (.always, _), (_, .yes): .nothing
        case (.sameNetwork, .no), (.sameNetwork, .unknown): .code
        case (.number, .no), (.number, .unknown): showsNumber ? .number : .code
        }
    }
}
