/// The operator's rules for push messages by UnifiedPush and Web Push.
public struct WebPushSettings: Sendable {
    /// The push services that are called. Their addresses come from browsers and apps, so that no other one is.
    public var hosts: [WebPushHost]
    /// The address at which push services reach the operator, `mailto:` or https; `nil` for the issuer.
    ///
    /// Standard: RFC 8292 §2.1.
    public var contact: String?

    /// Creates settings.
    public init(hosts: [WebPushHost] = WebPushHost.browsers, contact: String? = nil) {
        self.hosts = hosts
        self.contact = contact
    }

    /// Whether a push service of browsers may be among those that are called.
    var callsBrowsers: Bool {
        hosts.contains { host in WebPushHost.browsers.contains { $0.overlaps(host) } }
    }

    /// The objection to an address of a push service, in a sentence; `nil` for none. For a host that is not named exactly it
    /// is the rule for the addresses of clients that register themselves, too.
    func objection(to subscription: WebPushSubscription) -> String? {
        let authority = String(subscription.origin.rawValue.trimmingPrefix(/https?:\/\//))
        let isNamed = hosts.contains(.host(authority))
        if let objection = NotificationAddress.objection(
            to: subscription.endpoint, isSelfRegistered: !isNamed, upTo: WebPushSubscription.longestEndpoint)
        {
            return objection
        }
        guard isNamed || hosts.contains(where: { $0.includes(authority) }) else {
            return "This server sends nothing to \(authority); its operator names it by --web-push."
        }
        return nil
    }

    /// The contact for push services; `nil` for an issuer on this machine without one.
    func contact(of issuer: Issuer) -> String? { contact ?? (issuer.isSecure ? issuer.text : nil) }
}
