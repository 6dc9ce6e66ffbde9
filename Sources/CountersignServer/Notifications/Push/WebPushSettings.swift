/// The operator's rules for push messages by UnifiedPush and Web Push.
public struct WebPushSettings: Sendable {
    /// The push services that are called: their addresses come from browsers and apps.
    public enum Hosts: String, Sendable, CaseIterable {
        /// Those with a public name, by https at the usual port.
        case publicHosts = "public"
        /// Those at any https address, also inside the operator's network, or at http on this machine.
        case any
    }

    /// The push services that are called.
    public var hosts: Hosts
    /// The address at which push services reach the operator, `mailto:` or https; `nil` for the issuer.
    ///
    /// Standard: RFC 8292 §2.1.
    public var contact: String?

    /// Creates settings.
    public init(hosts: Hosts = .publicHosts, contact: String? = nil) {
        self.hosts = hosts
        self.contact = contact
    }

    /// The objection to an address of a push service, in a sentence; `nil` for none. It is the rule for the addresses of
    /// clients that register themselves.
    func objection(to subscription: WebPushSubscription) -> String? {
        NotificationAddress.objection(to: subscription.endpoint, isSelfRegistered: hosts == .publicHosts)
    }

    /// The contact for push services; `nil` for an issuer on this machine without one.
    func contact(of issuer: Issuer) -> String? { contact ?? (issuer.isSecure ? issuer.text : nil) }
}
