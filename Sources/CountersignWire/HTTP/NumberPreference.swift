/// A requesting screen announces that it can show a number, and sends the shown number with a poll.
///
/// It is a preference because a server that does not know it must ignore it: `Prefer: verification-number` with the
/// request that starts a sign-in, `Prefer: verification-number=42` with a poll while the screen shows 42. A poll that
/// is held open is answered as soon as the screen has to show another number.
///
/// An addition of Countersign. Standard: RFC 7240 §2, §3 for the form; RFC 10027 for the purpose.
public struct NumberPreference: Sendable, Equatable {
    /// The number that the screen shows; `nil` while it shows none.
    public let shown: VerificationNumber?

    /// Creates a preference.
    public init(shown: VerificationNumber? = nil) { self.shown = shown }

    /// Finds the preference in the values of a request's `Prefer` headers; the first one counts.
    ///
    /// - Parameter headers: One text per header; `nil` is returned when none names the preference. A value that is no
    ///   number counts as none.
    public init?(parsing headers: [String]) {
        guard let preference = Preference.first(named: "verification-number", in: headers) else { return nil }
        shown = preference.value.flatMap { VerificationNumber(parsing: $0) }
    }

    /// The value of a `Prefer` header.
    public var headerValue: String { shown.map { "verification-number=\($0)" } ?? "verification-number" }
}
