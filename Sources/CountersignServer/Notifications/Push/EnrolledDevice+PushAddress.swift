extension EnrolledDevice {
    /// The systems with Apple Push Notification service.
    private static let appleSystems: Set = ["ios", "ipados", "macos", "tvos", "watchos", "visionos"]

    /// Whether its push service is Apple's, by the platform or the manufacturer, which the older SDK sends.
    private var isApples: Bool {
        Self.appleSystems.contains(details.platform?.lowercased() ?? "") || details.manufacturer == "Apple"
    }

    /// The push address of the device; `nil` when it can receive no push messages.
    package var pushAddress: PushAddress? { pushAddress(in: nil) }

    /// The push address of the device with an app; `nil` when it can receive no push messages.
    ///
    /// - Parameter app: The registered app; `nil` for an unknown one, whose identifier the device states.
    func pushAddress(in app: AuthenticatorApp?) -> PushAddress? {
        guard isPushable, let token = pushToken else { return nil }
        if let subscription = token.subscription { return PushAddress(subscription) }
        return PushAddress(
            isApples ? .apple : .google, token: token.revealed,
            app: isApples ? app?.bundleID ?? details.appID : app?.project, isDevelopment: isDevelopment)
    }
}
