public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a person approves, as a presentation shows it.
///
/// On another device the person types the code of the ``invitation``, or follows its link. On this device a browser
/// opens ``address(returningTo:)`` and comes back when the person is done: pass what it brings to ``returned(with:)``.
/// The page belongs into the system's browser: a view of the app could read the password.
public struct SignInPage: Sendable {
    /// The address that many providers let a browser come back to without being told of it beforehand.
    public static let usualReturn = "cpacred://verification"

    /// What the person did with the page, as far as this device knows.
    enum Conclusion: Sendable, Equatable {
        case refused
        case closed
    }

    /// The address, the code and the deadline.
    public let invitation: Invitation
    private let takesReturns: Bool
    private let conclude: @Sendable (Conclusion) -> Void

    init(
        _ invitation: Invitation,
        takesReturns: Bool,
        conclude: @escaping @Sendable (Conclusion) -> Void
    ) {
        self.invitation = invitation
        self.takesReturns = takesReturns
        self.conclude = conclude
    }

    /// The page for a browser on this device; it leads to `address` when the person is done, if the provider does that
    /// and lets it.
    ///
    /// Standard: ETSI TS 103 407 §8.3 (a code that is filled in).
    public func address(returningTo address: String) -> URL {
        let place = invitation.verificationURIComplete ?? invitation.verificationURI
        guard takesReturns, invitation.userCode != nil else { return place }
        return place.adding("redirect_uri", address)
    }

    /// Tells that the browser came back with `address`. A refusal ends the sign-in; everything else is found out from
    /// the provider, since any app or page can call such an address.
    public func returned(with address: String) {
        guard let items = URLComponents(string: address)?.queryItems else { return }
        let refused = items.contains { item in
            // The second form is that of older providers.
            item.name == "result" && item.value == "cancelled"
                || item.name == "info" && item.value == "user_code:denied"
        }
        if refused { conclude(.refused) }
    }

    /// Tells that the person closed the page, which ends the sign-in.
    public func closed() {
        conclude(.closed)
    }
}

extension URL {
    /// The same place with one more parameter in its query; those that are there stay.
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
