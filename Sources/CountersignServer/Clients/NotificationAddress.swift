internal import FoundationEssentialsCompat

/// The addresses of clients for logout tokens and for notifications over the back channel.
package enum NotificationAddress {
    /// The objection to an address, in a sentence; `nil` for none.
    ///
    /// The server sends requests there. So a self-registered client may only use `https` and a public DNS name: no
    /// loopback address, no IP address, no name without a dot. TLS verifies that name first.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - isSelfRegistered: Whether the client registers itself; an operator may also name this machine.
    ///   - longest: The maximum length in bytes; by default that of redirect URIs.
    package static func objection(
        to text: String, isSelfRegistered: Bool, upTo longest: Int = RedirectURIRules.longest
    ) -> String? {
        if let fault = RedirectURIRules.fault(of: text, upTo: longest) { return fault.description }
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), (try? Endpoint(text)) != nil else {
            return "The server calls an https address, or http on this machine."
        }
        guard isSelfRegistered else { return nil }
        guard text.hasPrefix("https://"), let endpoint = try? Endpoint(text), endpoint.url.port ?? 443 == 443 else {
            return "The server calls an https address at the usual port."
        }
        let host = text.dropFirst("https://".count).prefix { !"/?:".contains($0) }.lowercased()
        return PublicHost.isName(host) ? nil : "The server calls a public name only."
    }
}
