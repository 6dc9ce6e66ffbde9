internal import ArgumentParser

/// `countersign credential`: tokens for programs that call a helper.
struct CredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Hand tokens to git, docker and kubectl.",
        discussion: """
            'add' names a host and the sign-in whose tokens it gets; a host that was not named gets none. The helpers renew \
            the token when that is needed, and sign in where there is none: at the terminal, or without one on the devices \
            of the person who is remembered here. Helpers that run at once ask once.

                countersign credential add git.example.com --issuer https://id.example.com --client terminal
                git config --global credential.https://git.example.com.helper countersign

            Documentation/Credentials.md has the lines for each program.
            """,
        subcommands: [Add.self, List.self, Remove.self, Git.self, Docker.self, Kubectl.self]
    )
}

/// The options of helpers: the store of the tokens, and the ways to sign in where there are none.
struct CredentialOptions: ParsableArguments {
    @OptionGroup var storage: TokenStoreOptions
    @OptionGroup(title: "Signing in") var ways: WayOptions
}
