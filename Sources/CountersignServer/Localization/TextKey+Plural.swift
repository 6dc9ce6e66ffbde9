extension TextKey {
    /// The keys of texts that go with a number, without `.one` and `.other`.
    enum Plural: String, Sendable, CaseIterable {
        case seconds = "time.seconds"
        case minutes = "time.minutes"
        case hours = "time.hours"
        case days = "time.days"
        case confirmDigits = "confirm.digits"
        case recoveryCodes = "account.codesLeft"
    }
}
