internal import Countersign
public import CountersignWire

/// The addresses that receive an app's answers, as its author typed them: one or both.
///
/// ```swift
/// let redirects = AppRedirects(
///     native: "com.example.app:/signed-in",
///     universal: "https://app.example.com/signed-in"
/// )
/// ```
///
/// Both have to be registered with the provider. The universal one is used if the system can hand https addresses to
/// apps, since no other app can receive its answers; the native one is used when it is the only one.
///
/// Standard: RFC 8252 §7.
public struct AppRedirects: Sendable, Hashable {
    /// The address with a scheme of the app; `nil` for none.
    public var native: String?
    /// The https address of a domain that belongs to the app, or a port of this machine; `nil` for none.
    public var universal: String?

    /// Takes the addresses; they are looked at when a sign-in starts.
    public init(native: String? = nil, universal: String? = nil) {
        self.native = native.flatMap { $0.isEmpty ? nil : $0 }
        self.universal = universal.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The reason that no address can be used.
    public enum ValidationError: Error, Sendable, Hashable {
        /// There is none.
        case none
        /// A given one must not receive answers.
        case refused(String, RedirectURI.ParsingError)
        /// Only the app's own scheme can return the answer, and none was given.
        case nativeMissing
    }

    /// The address that receives the answer on a system with these links.
    ///
    /// Both are checked, so that a mistake in one is found on every system.
    func address(for links: AppLinks) throws(ValidationError) -> RedirectURI {
        let native = try Self.read(self.native, isWeb: false)
        let universal = try Self.read(self.universal, isWeb: true)
        switch (links, native, universal) {
        case (_, nil, nil): throw .none
        case (.schemesOnly, nil, _?): throw .nativeMissing
        case (.schemesOnly, let native?, _): return native
        case (.schemesAndWebAddresses, _, let universal?): return universal
        case (.schemesAndWebAddresses, let native?, nil): return native
        }
    }

    private static func read(_ text: String?, isWeb: Bool) throws(ValidationError) -> RedirectURI? {
        guard let text else { return nil }
        do throws(RedirectURI.ParsingError) {
            let address = try RedirectURI(text)
            switch (address.kind, isWeb) {
            case (.privateUse, true): throw .noWebAddress
            case (.claimed, false), (.loopback, false): throw .webAddress
            case (.privateUse, false), (.claimed, true), (.loopback, true): return address
            }
        } catch {
            throw .refused(text, error)
        }
    }
}
