internal import ArgumentParser

/// The options for reaching the server, in the order of use: shared by `serve` and `doctor`.
struct ServeOptions: ParsableArguments {
    @OptionGroup(title: "Address, TLS and proxies") var addresses: SettingOptions<AddressSettings>

    @OptionGroup(title: "Pages") var pages: SettingOptions<PageSettings>

    @OptionGroup(title: "Sign-in and registration") var signIn: SettingOptions<SignInSettings>

    @OptionGroup(title: "Operation") var operation: SettingOptions<OperationSettings>

    @OptionGroup(title: "Telephones and webhooks") var phones: SettingOptions<PhoneSettings>

    @OptionGroup(title: "Mail") var mail: SettingOptions<MailSettings>

    @OptionGroup(title: "Apps and their devices") var apps: SettingOptions<AppSettings>

    /// The options of the command line, by the keys of the settings.
    ///
    /// - Throws: a ``CommandError`` for a limit that cannot be read.
    var flags: [String: String] {
        get throws {
            let sections = [
                try addresses.flags, try pages.flags, try signIn.flags, try operation.flags, try phones.flags,
                try mail.flags, try apps.flags,
            ]
            return sections.reduce(into: [:]) { all, flags in all.merge(flags) { $1 } }
        }
    }
}
