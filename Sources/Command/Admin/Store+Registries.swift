internal import Countersign
internal import CountersignServer

extension Store {
    /// The clients, as an operator manages them.
    var clientRegistry: ClientRegistry {
        ClientRegistry(of: self, mint: CodeMint(drawingFrom: .system), clock: .system)
    }

    /// The services, as an operator manages them.
    var domainRegistry: DomainRegistry {
        DomainRegistry(of: self, for: .operator, mint: CodeMint(drawingFrom: .system), clock: .system)
    }

    /// The environments, as an operator manages them.
    var environmentRegistry: EnvironmentRegistry {
        EnvironmentRegistry(of: self, mint: CodeMint(drawingFrom: .system), clock: .system)
    }

    /// The apps that the authenticator is built into, as an operator manages them.
    var appRegistry: AuthenticatorAppRegistry {
        AuthenticatorAppRegistry(of: self, mint: CodeMint(drawingFrom: .system), clock: .system)
    }
}
