internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import Foundation

/// The directory of the tokens: shared by `signin` and `token`.
struct TokenStoreOptions: ParsableArguments {
    @Option(
        name: .customLong("save"),
        help: ArgumentHelp(
            "The directory for the tokens. (default: $XDG_DATA_HOME/countersign/tokens)", valueName: "directory")
    )
    var save: String?

    @Option(help: "The apps that share the tokens: those that name the same group.")
    var group = TokenGroup.standard.rawValue

    @Flag(help: "Keep the key of the tokens in the keyring of the desktop, not in a file beside them.")
    var keyring = false

    var directory: String {
        save ?? StoreOptions.defaultDirectory.appendingPathComponent("tokens").path
    }

    /// The store of that directory and group.
    ///
    /// - Parameter limit: The time that another process may hold the lock of an item; two minutes by default.
    func store(waiting limit: Duration = .seconds(120)) throws -> SealedFileTokenStore {
        SealedFileTokenStore(
            directory: directory,
            group: TokenGroup(group),
            sealedBy: try keyPlace(),
            lockTimeout: limit,
            clock: .system,
            drawingFrom: .system
        )
    }

    private func keyPlace() throws -> (any SealingKeyStore)? {
        guard keyring else { return nil }
        #if SecretService
        return SecretServiceKey(of: directory)
        #else
        throw CommandError.usage(
            "This build cannot use a keyring. Build it with the package trait SecretService, or leave out --keyring.")
        #endif
    }
}
