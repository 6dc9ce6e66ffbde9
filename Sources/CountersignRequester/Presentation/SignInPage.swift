public import Countersign
public import FoundationEssentialsCompat

/// The page for a person to approve on, to be shown by a presentation.
///
/// On another device the person types the code of the ``invitation``, or follows its link. On this device a browser
/// opens ``address(returningTo:)`` and comes back when the person is done: pass the resulting address to
/// ``returned(with:)``. The page belongs into the system's browser: a view of the app could read the password.
///
/// ```swift
/// func show(_ page: SignInPage) async {
///     browser.open(page.address(returningTo: SignInPage.usualReturn)) { back in page.returned(with: back) }
/// }
/// ```
public struct SignInPage: Sendable {
    /// The return address that many providers accept without registration.
    public static let usualReturn = "cpacred://verification"

    /// The person's action on the page, as far as this device knows.
    enum Conclusion: Sendable, Equatable {
        /// The browser came back with a refusal.
        case refused
        /// The person closed the page.
        case closed
    }

    /// The address, the code and the deadline.
    public let invitation: Invitation
    /// Whether the provider supports a return address.
    private let takesReturns: Bool
    /// Reports what the person did with the page.
    private let conclude: @Sendable (Conclusion) -> Void

    init(_ invitation: Invitation, takesReturns: Bool, conclude: @escaping @Sendable (Conclusion) -> Void) {
        self.invitation = invitation
        self.takesReturns = takesReturns
        self.conclude = conclude
    }

    /// The page for a browser on this device.
    ///
    /// - Parameter address: The address that the provider leads the browser back to when the person is done: an address
    ///   of the app's own scheme, or ``usualReturn``. A provider may not know it, and show its own page instead.
    /// - Returns: The address to open, with the code filled in where there is one.
    ///
    /// Standard: ETSI TS 103 407 §8.3.
    public func address(returningTo address: String) -> URL {
        let place = invitation.verificationURIComplete ?? invitation.verificationURI
        guard takesReturns else { return place }
        return place.adding("redirect_uri", address)
    }

    /// Reports that the browser came back.
    ///
    /// A refusal ends the sign-in. Everything else is requested from the provider, since any app or page can open such
    /// an address.
    ///
    /// - Parameter address: The whole address that the browser came back with.
    public func returned(with address: String) {
        guard let items = URLComponents(string: address)?.queryItems else { return }
        let refused = items.contains { item in
            // The second form is that of older providers.
            item.name == "result" && item.value == "cancelled"
                || item.name == "info" && item.value == "user_code:denied"
        }
        if refused { conclude(.refused) }
    }

    /// Reports that the person closed the page; this ends the sign-in with `cancelled`.
    public func closed() {
        conclude(.closed)
    }
}

extension URL {
    /// The same URL with one more query parameter; the others stay.
    func adding(_ name: String, _ value: String) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return self }
        let unreserved = Array("-._~".utf8)
        let written = value.utf8.map { byte in
            let stands =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || unreserved.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return stands ? String(Unicode.Scalar(byte)) : "%\(byte < 16 ? "0" : "")\(digits)"
        }
        let item = "\(name)=\(written.joined())"
        let query = parts.percentEncodedQuery ?? ""
        parts.percentEncodedQuery = query.isEmpty ? item : "\(query)&\(item)"
        return parts.url ?? self
    }
}
