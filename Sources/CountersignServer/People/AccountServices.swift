internal import FoundationEssentialsCompat

/// The services for accounts: passwords, passkeys, one-time passwords, telephone numbers and new devices.
final class AccountServices: Sendable {
    let core: ServerCore
    let passwords: PasswordHasher
    /// Registers passkeys, and verifies their assertions.
    let passkeys: PasskeyService
    /// Sets up one-time passwords, and verifies them.
    let oneTimePasswords: OneTimePasswordService
    /// Notifies the operator's webhook of each new device.
    let newDevices: NewDeviceNotices
    /// Verifies the telephone numbers of devices.
    let phoneNumbers: PhoneNumberService
    /// The lifetime of a browser session, in seconds.
    let sessionLifetime: TimeInterval
    /// The rules for push messages to browsers and to apps of UnifiedPush; `nil` when none are sent.
    let webPush: WebPushSettings?

    init(
        _ core: ServerCore,
        passwords: PasswordHasher,
        passkeys: PasskeyService,
        oneTimePasswords: OneTimePasswordService,
        newDevices: NewDeviceNotices,
        phoneNumbers: PhoneNumberService,
        sessionLifetime: TimeInterval,
        webPush: WebPushSettings?
    ) {
        self.core = core
        self.passwords = passwords
        self.passkeys = passkeys
        self.oneTimePasswords = oneTimePasswords
        self.newDevices = newDevices
        self.phoneNumbers = phoneNumbers
        self.sessionLifetime = sessionLifetime
        self.webPush = webPush
    }
}
