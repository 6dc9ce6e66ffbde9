/// A requesting screen announces, with the request that starts a sign-in, that it shows a new link whenever a pending
/// answer contains one.
///
/// It is a preference because a server that does not know it must ignore it. Links of other screens stay as they are.
///
/// An addition of Countersign. Standard: RFC 7240 §2 for the form; RFC 10027 for the purpose.
public enum FreshLinkPreference {
    /// The value of a `Prefer` header.
    public static let headerValue = "fresh-link"

    /// Whether the preference is stated.
    ///
    /// - Parameter headers: The values of the request's `Prefer` headers, one text per header.
    public static func isStated(in headers: [String]) -> Bool {
        Preference.first(named: headerValue, in: headers) != nil
    }
}
