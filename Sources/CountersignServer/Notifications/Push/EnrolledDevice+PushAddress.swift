internal import CountersignWire

extension EnrolledDevice {
    /// Systems whose push messages Apple brings.
    private static let appleSystems: Set = ["ios", "ipados", "macos", "tvos", "watchos", "visionos"]

    /// Whether Apple brings its push messages: the older SDK for Apple's phones names the maker, too.
    private var isApples: Bool {
        Self.appleSystems.contains(details.platform?.lowercased() ?? "") || details.manufacturer == "Apple"
    }

    /// The address for push messages to the device; `nil` when it gets none.
    package var pushAddress: PushAddress? { pushAddress(in: nil) }

    /// The address for push messages to the device, if it has the app; `nil` when it gets none.
    ///
    /// - Parameter app: The app as the operator registered it; `nil` when it is not known, and then the device's own
    ///   word counts.
    func pushAddress(in app: AuthenticatorApp?) -> PushAddress? {
        guard isPushable, let token = pushToken else { return nil }
        return PushAddress(
            isApples ? .apple : .google,
            token: token.revealed,
            app: isApples ? app?.bundleID ?? details.appID : app?.project,
            isDevelopment: isDevelopment
        )
    }
}
