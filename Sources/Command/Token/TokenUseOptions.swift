internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire

/// The options of commands that hand a token to another program.
struct TokenUseOptions: ParsableArguments {
    @OptionGroup var credential: CredentialOptions
    @OptionGroup var selection: SignInSelection
    @OptionGroup var server: ServerAccess

    @Option(help: "What to ask for where nobody is signed in, words with spaces between. (default: openid profile)")
    var scope: String?

    /// A token of the selected sign-in.
    func token(_ kind: ProgramToken.Kind) async throws -> ProgramToken {
        let scope = try scope.map { try Scope.typed($0) }
        let store = try credential.storage.store()
        let selected = try await selected(in: store)
        let kept = try await store.signedIn(for: selected.key)?.scope
        let source = try CredentialSource(
            of: selected, for: scope ?? kept ?? Scope([.openid, .profile]), at: server, options: credential,
            using: .allowed)
        return try await source.token(kind)
    }

    /// The selected sign-in; where server and client are named it need not exist yet.
    private func selected(in store: some TokenStore) async throws -> SelectedToken {
        guard let issuer = selection.issuer, let client = selection.client, selection.person == nil,
            selection.service == nil
        else {
            return try await selection.token(in: store)
        }
        return SelectedToken(key: .signIn(at: try server.issuer(issuer), as: ClientID(client)))
    }
}
