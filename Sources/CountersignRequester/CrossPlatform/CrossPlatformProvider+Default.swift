internal import NIOConcurrencyHelpers

extension CrossPlatformProvider {
    private static let chosen = NIOLockedValueBox<CrossPlatformProvider?>(nil)

    /// The provider that the whole app uses, if one was chosen by ``setDefault(_:)``.
    public static var `default`: CrossPlatformProvider? { chosen.withLockedValue(\.self) }

    /// Chooses the provider that the whole app uses, or none; gives the one that was chosen before.
    @discardableResult
    public static func setDefault(_ provider: CrossPlatformProvider?) -> CrossPlatformProvider? {
        chosen.withLockedValue { chosen in
            defer { chosen = provider }
            return chosen
        }
    }
}
