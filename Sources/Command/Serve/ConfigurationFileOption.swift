internal import ArgumentParser

/// The option that names the configuration file.
///
/// A command takes the options that its subcommands have, too, wherever they stand; a group of the same type in a
/// subcommand has their values.
struct ConfigurationFileOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A JSON file with any of the keys named here.",
            discussion: "Flags come before the environment, the environment before the file.",
            valueName: "file"
        )
    )
    var config: String?
}
