internal import ArgumentParser

/// The options for reaching the server: shared by `serve` and `doctor`.
struct ServeOptions: ParsableArguments {
    @OptionGroup var server: SettingOptions<ServeSettings>

    @OptionGroup(title: "Pages") var pages: SettingOptions<PageSettings>

    @OptionGroup(title: "Telephones and webhooks") var phones: SettingOptions<PhoneSettings>

    /// The options of the command line, by the keys of the settings.
    ///
    /// - Throws: a ``CommandError`` for a limit that cannot be read.
    var flags: [String: String] {
        get throws { try server.flags.merging(pages.flags) { $1 }.merging(phones.flags) { $1 } }
    }
}
