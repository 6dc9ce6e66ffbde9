internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The addresses of clients that the server itself calls: of sign-outs, and of decisions over the back channel.
package enum NotificationAddress {
    /// The reason why an address cannot be registered, in words for the party that wants to; `nil` when it can.
    ///
    /// The server itself sends requests there. So a client that registers itself may name `https` and a name of the
    /// public domain name system only: no address of this machine, no number, no name without a dot. The server there
    /// proves that name by a certificate before anything is sent.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - isSelfRegistered: Whether the client registers itself; an operator may also name this machine.
    package static func objection(to text: String, isSelfRegistered: Bool) -> String? {
        if let objection = RedirectURIRules.objection(to: text) { return objection }
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
