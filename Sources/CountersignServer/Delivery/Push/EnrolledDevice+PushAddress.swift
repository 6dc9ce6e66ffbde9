internal import CountersignWire

extension EnrolledDevice {
    /// Where push messages to the device go; `nil` when it gets none.
    package var pushAddress: PushAddress? {
        guard isPushable, let token = pushToken else { return nil }
        let isApple = ["ios", "ipados", "macos", "tvos", "watchos", "visionos"]
            .contains(details.platform?.lowercased() ?? "")
        return PushAddress(
            isApple ? .apple : .google,
            token: token.revealed,
            app: isApple ? details.appID : nil,
            isDevelopment: isDevelopment
        )
    }
}
