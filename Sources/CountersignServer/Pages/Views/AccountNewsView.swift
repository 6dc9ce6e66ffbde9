/// The changes of an account within the last day, which may be another person's, on the account page.
struct AccountNewsView: Sendable {
    /// The time of the change of the password; `nil` for none.
    let newPassword: TimeDisplay?
    /// The new devices, the latest first.
    let newDevices: [NewDeviceView]
    /// The screens and apps that signed in, the latest first.
    let newSignIns: [NewSignInView]
    /// The approvals that the screen undid, the latest first.
    let screenUndos: [ScreenUndoView]

    /// `nil` where nothing is new.
    init?(
        newPassword: TimeDisplay?, newDevices: [NewDeviceView], newSignIns: [NewSignInView],
        screenUndos: [ScreenUndoView]
    ) {
        guard newPassword != nil || !newDevices.isEmpty || !newSignIns.isEmpty || !screenUndos.isEmpty else {
            return nil
        }
        self.newPassword = newPassword
        self.newDevices = newDevices
        self.newSignIns = newSignIns
        self.screenUndos = screenUndos
    }
}
