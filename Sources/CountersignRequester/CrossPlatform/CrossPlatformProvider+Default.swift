internal import NIOConcurrencyHelpers

extension CrossPlatformProvider {
    /// The app's default provider, once one was chosen.
    private static let chosen = NIOLockedValueBox<CrossPlatformProvider?>(nil)

    /// The provider that the whole app uses; `nil` until ``setDefault(_:)`` chooses one.
    public static var `default`: CrossPlatformProvider? { chosen.withLockedValue(\.self) }

    /// Chooses the provider that the whole app uses, and returns the previous one.
    ///
    /// - Parameter provider: The provider to use; `nil` for none.
    @discardableResult
    public static func setDefault(_ provider: CrossPlatformProvider?) -> CrossPlatformProvider? {
        chosen.withLockedValue { chosen in
            defer { chosen = provider }
            return chosen
        }
    }
}
