/// The settings of the server that last started with the database, for commands that depend on them.
public protocol ServedSettingRepository {
    /// Adds a setting, or replaces its value.
    func keep(_ setting: ServedSetting) throws
    /// Returns all settings, by name; none before a server started.
    func all() throws -> [ServedSetting]
}
