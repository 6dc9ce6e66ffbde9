package import FoundationEssentialsCompat

extension Date {
    /// The end of the year 9999, in seconds since 1970.
    private static let latestNamed: Int64 = 253_402_300_799

    /// The instant that another party names by a number. It is brought within the years 1970 to 9999, so that no
    /// arithmetic with it, and no clock that waits for it, overflows.
    ///
    /// - Parameter seconds: Whole seconds since 1970, as they came.
    package init(named seconds: some BinaryInteger) {
        self.init(timeIntervalSince1970: Double(min(max(Int64(clamping: seconds), 0), Self.latestNamed)))
    }

    /// Whole seconds since 1970, as claims count time.
    ///
    /// Standard: RFC 7519 §2 (`NumericDate`).
    package var numericDate: Int { Int(timeIntervalSince1970.rounded(.down)) }
}
