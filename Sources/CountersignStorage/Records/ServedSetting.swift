/// A setting of the server that last started with the database.
public struct ServedSetting: Sendable, Equatable {
    /// The key of the setting, as in a configuration file.
    public let key: String
    /// The value.
    public let value: String

    /// Creates a setting to store.
    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
