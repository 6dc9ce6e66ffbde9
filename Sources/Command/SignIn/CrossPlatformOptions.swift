internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The options of `signin --cpa`: a token for a service instead of a sign-in at a server.
struct CrossPlatformOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of an authorization provider (ETSI TS 103 407), in place of --issuer and --client.",
            valueName: "address"))
    var cpa: String?

    @Option(help: "The service that the token is for: a host, with its port if it has one.")
    var domain: String?

    @Flag(help: "Ask for the token of this device itself; nobody has to approve.")
    var clientToken = false

    @Flag(help: "Open the page in the browser of this machine, too.")
    var open = false

    /// Whether any of these was given.
    var isWanted: Bool { cpa != nil || domain != nil || clientToken || open }

    /// The name and version that this program registers a device with.
    static func software(on device: String) -> ClientRegistrationRequest {
        ClientRegistrationRequest(clientName: device, softwareID: "countersign", softwareVersion: Version.text)
    }

    /// The requested provider and service.
    func asked(over server: ServerAccess) throws -> (address: Issuer, domain: Domain) {
        guard let cpa, let domain else { throw CommandError.usage("--cpa and --domain belong together.") }
        let parsed = try Domain(parsing: domain).or(
            usage: "\(domain) is no domain: a host, with its port if it has one, as in radio.example.com.")
        guard !open || !clientToken else {
            throw CommandError.usage("Nobody has to approve a --client-token, so there is no page to --open.")
        }
        return (try server.issuer(cpa), parsed)
    }
}

extension ServerAccess {
    /// The options of requests to the server.
    func options(_ options: SignInOptions = SignInOptions(), binding: TokenBinding = .never) -> SignInOptions {
        var options = options
        options.allowingInsecureHTTP = allowInsecureHTTP
        options.binding = binding
        return options
    }

    /// The provider that keeps its tokens in `store`.
    func provider(
        at address: Issuer,
        in store: some TokenStore,
        on device: String = ProcessInfo.processInfo.hostName,
        options: SignInOptions = SignInOptions()
    ) -> CrossPlatformProvider {
        CrossPlatformProvider(
            at: address, as: CrossPlatformOptions.software(on: device), keepingTokensIn: store,
            options: self.options(options))
    }
}
