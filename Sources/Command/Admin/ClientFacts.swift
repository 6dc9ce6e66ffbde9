internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The options that describe a client: shared by `client add` and `client change`.
struct ClientFacts: ParsableArguments {
    @Option(help: "The name that people are shown. (default: the identifier)")
    var name: String?

    @Option(
        help: ArgumentHelp(
            """
            How it may redeem: authorization_code, device_code, refresh_token, client_credentials, \
            token-exchange, ciba, pre-authorized_code. Repeatable. \
            (default: authorization_code and refresh_token with a --redirect-uri, else device_code and refresh_token)
            """,
            valueName: "grant"
        )
    )
    var grant: [String] = []

    @Flag(help: "No grant types: a resource server that only introspects tokens.")
    var noGrants = false

    @Option(help: "The most it may ask for, words with spaces between. (default: openid profile)")
    var scope: String?

    @Option(help: "The form of its access tokens: opaque, ES256 or RS256. (default: opaque)")
    var tokenFormat: String?

    @Option(
        name: .customLong("id-token-alg"),
        help: "How its ID tokens are signed: ES256 or RS256. (default: as its access tokens are, or ES256)"
    )
    var idTokenAlgorithm: String?

    @Option(help: "For whom its access tokens are; empty for the issuer. (default: the issuer)")
    var audience: String?

    @Option(help: "An audience whose tokens it may introspect. Repeatable; one that is empty takes all away.")
    var serves: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where a browser may take the answer to its authorization requests: an https address, an address of this \
            machine (any port, if it names none), or a scheme like org.example.app:/done. Repeatable; one that is empty \
            takes all away.
            """,
            valueName: "address"
        )
    )
    var redirectURI: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where a browser may go after the app had its person signed out. Repeatable; one that is empty takes all away.",
            valueName: "address"))
    var postLogoutRedirectURI: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where the server tells it that a person signed out: an https address, or http on this machine. One that is \
            empty takes it away.
            """,
            valueName: "address"
        )
    )
    var backChannelLogoutURI: String?

    @Option(help: "Whether it needs the session in what it is told then: required or optional. (default: optional)")
    var backChannelLogoutSession: String?

    @Option(
        help: ArgumentHelp(
            "The origin of its web pages, if they call the server from a browser. Repeatable; one that is empty takes all away.",
            valueName: "origin"))
    var webOrigin: [String] = []

    @Option(
        help: "Whether people are asked before it gets anything by a browser: ask, or skip for your own. (default: ask)"
    )
    var consent: String?

    @Option(help: "Whether its authorization requests must be pushed: required or optional. (default: optional)")
    var pushedRequests: String?

    @Option(
        help: "Whether it must sign its authorization requests with its keys: required or optional. (default: optional)"
    )
    var signedRequests: String?

    @Option(
        help: """
            Whether its authorization requests need PKCE: required, or optional for a client with a secret or keys and \
            https addresses that sends a nonce, which is weaker. (default: required)
            """
    )
    var pkce: String?

    @Option(
        help: """
            Whether it must prove that it holds a key, to which its tokens are bound: allowed, required, nonce for \
            required with a nonce of the server, or certificate for the one of its TLS connection. (default: allowed)
            """
    )
    var dpop: String?

    @Option(
        help: """
            A security profile that its registration and all of its requests must meet: fapi2, or none. (default: none)
            """
    )
    var profile: String?

    @OptionGroup var backchannel: BackchannelFacts

    @Option(
        help: """
            What the link or QR code of its requests is enough for: always for an approval anywhere, same-network for one \
            in the network of the screen and the typed code elsewhere, or number for one in the network of the screen and a \
            number that the screen shows elsewhere. (default: number)
            """
    )
    var linkApproval: String?

    @Option(
        help: ArgumentHelp(
            """
            The least evidence that an approval of its requests needs, with commas between: nearby, number, device_key, \
            password, second_factor, user_verified, recent: with seconds, deliberate. One that is empty takes all away. \
            (default: that of the scope)
            """,
            valueName: "demands"
        )
    )
    var minimumEvidence: String?

    @Option(help: "How long its codes live, in seconds, from 30 to 3600. (default: 300)")
    var codeLifetime: Int?

    @Option(help: "How long its access tokens live, in seconds, from 10 to 86400; as JWT at most 300. (default: 3600)")
    var accessTokenLifetime: Int?

    @Option(help: "How long its refresh tokens live unused, in seconds, from 60 to 31536000. (default: 2592000)")
    var refreshTokenLifetime: Int?

    /// The default grant types of a new client: it receives its answers through a browser, or is a screen that shows a
    /// code.
    var usualGrantTypes: [GrantType] {
        redirectURI.contains { !$0.isEmpty } ? [.authorizationCode, .refreshToken] : [.deviceCode, .refreshToken]
    }

    /// Applies the given options to `client`.
    ///
    /// - Throws: a ``CommandError`` with the reason.
    func apply(to client: inout Client) throws {
        client.name = name ?? client.name
        if let scope {
            let scope = try Scope(parsing: scope).or(usage: "The scope has a character that no scope may have.")
            client.scope = scope
        }
        try apply(tokenFormat, for: "The token format", to: &client.tokenFormat, ignoringCase: true)
        var algorithm = client.idTokenSignedResponseAlg
        try apply(idTokenAlgorithm, for: "--id-token-alg", to: &algorithm, ignoringCase: true)
        if idTokenAlgorithm != nil { client.chosenIDTokenAlgorithm = algorithm }
        if let audience { client.audience = audience.isEmpty ? nil : audience }
        if !serves.isEmpty { client.serves = serves.filter { !$0.isEmpty } }
        guard !noGrants || grant.isEmpty else {
            throw CommandError.usage("--grant and --no-grants do not go together.")
        }
        if noGrants {
            client.grantTypes = []
        } else if !grant.isEmpty {
            client.grantTypes = try grantTypes()
        }
        try apply(dpop, for: "--dpop", to: &client.dpop)
        try apply(linkApproval, for: "--link-approval", to: &client.linkApproval)
        if let minimumEvidence {
            client.minimumEvidence = try ScopeDemands(parsing: minimumEvidence).or(
                usage: "--minimum-evidence takes demands, as in nearby or number,recent:300; not \(minimumEvidence).")
        }
        client.lifetimes = try lifetimes(of: client)
        try applyRedirects(to: &client.redirects)
        try backchannel.apply(to: &client.backchannel)
        if client.grantTypes.contains(.authorizationCode), client.redirects.redirectURIs.isEmpty {
            throw CommandError.usage("authorization_code needs an address for the answer: --redirect-uri.")
        }
        if client.redirects.requiresSignedRequests {
            guard client.signingKeys != nil else {
                throw CommandError.usage("Signed requests need keys: --keys with a file.")
            }
        }
        guard client.kind == .public else { return }
        if client.grantTypes.contains(.clientCredentials) {
            throw CommandError.usage("client_credentials needs a secret: add a client with --confidential.")
        }
        if !client.serves.isEmpty {
            throw CommandError.usage("A resource server needs a secret: add a client with --confidential.")
        }
    }

    private func addresses(_ given: [String], _ option: String) throws -> [String] {
        let addresses = given.filter { !$0.isEmpty }
        for address in addresses {
            if let objection = RedirectURIRules.objection(to: address) {
                throw CommandError.usage("\(option) \(address): \(objection)")
            }
        }
        return addresses
    }

    private func applyRedirects(to redirects: inout RedirectRegistration) throws {
        if !redirectURI.isEmpty { redirects.redirectURIs = try addresses(redirectURI, "--redirect-uri") }
        if !postLogoutRedirectURI.isEmpty {
            redirects.postLogoutRedirectURIs = try addresses(postLogoutRedirectURI, "--post-logout-redirect-uri")
        }
        if !webOrigin.isEmpty {
            redirects.webOrigins = try webOrigin.filter { !$0.isEmpty }.map { text in
                return try WebOrigin(parsing: text).or(
                    usage: "--web-origin \(text): an origin looks like https://app.example.com.")
            }
        }
        try applyLogout(to: &redirects)
        try apply(consent, for: "--consent", to: &redirects.consent)
        let profiles = SecurityProfile.allCases.map { ($0.rawValue, Optional($0)) } + [("none", nil)]
        if let profile = try choice(profile, for: "--profile", of: profiles) { redirects.profile = profile }
        redirects.requiresPushedRequests =
            try isRequired(pushedRequests, "--pushed-requests") ?? redirects.requiresPushedRequests
        redirects.requiresSignedRequests =
            try isRequired(signedRequests, "--signed-requests") ?? redirects.requiresSignedRequests
        if let isNeeded = try isRequired(pkce, "--pkce") { redirects.pkce = isNeeded ? .required : .optional }
    }

    private func isRequired(_ given: String?, _ option: String) throws -> Bool? {
        try choice(given, for: option, of: [("required", true), ("optional", false)])
    }

    private func applyLogout(to redirects: inout RedirectRegistration) throws {
        if let address = backChannelLogoutURI {
            if !address.isEmpty,
                let objection = NotificationAddress.objection(to: address, isSelfRegistered: false)
            {
                throw CommandError.usage("--back-channel-logout-uri \(address): \(objection)")
            }
            let requiresSession = redirects.backChannelLogout?.requiresSession ?? false
            redirects.backChannelLogout =
                address.isEmpty ? nil : BackChannelLogout(uri: address, requiresSession: requiresSession)
        }
        let option = "--back-channel-logout-session"
        guard let requiresSession = try isRequired(backChannelLogoutSession, option) else { return }
        guard redirects.backChannelLogout != nil else {
            throw CommandError.usage("\(option) needs --back-channel-logout-uri.")
        }
        redirects.backChannelLogout?.requiresSession = requiresSession
    }

    private func grantTypes() throws -> [GrantType] {
        try grant.flatMap { $0.split(separator: ",").map(String.init) }.map { name in
            let known = GrantType.known.first { $0.rawValue == name || $0.rawValue.hasSuffix(":\(name)") }
            guard let known else {
                throw CommandError.usage(
                    "There is no grant \(name): use authorization_code, device_code, refresh_token, client_credentials, token-exchange, ciba or pre-authorized_code."
                )
            }
            return known
        }
    }

    private func lifetimes(of client: Client) throws -> Lifetimes {
        let longest = client.tokenFormat == .opaque ? 86_400 : Int(Lifetimes.longestJWT)
        var lifetimes = client.lifetimes
        lifetimes.accessToken = min(lifetimes.accessToken, TimeInterval(longest))
        let format = " seconds for \(client.tokenFormat.rawValue) tokens"
        if let given = try number(codeLifetime, for: "--code-lifetime", in: 30...3600, " seconds") {
            lifetimes.code = TimeInterval(given)
        }
        if let given = try number(accessTokenLifetime, for: "--access-token-lifetime", in: 10...longest, format) {
            lifetimes.accessToken = TimeInterval(given)
        }
        let (option, range) = ("--refresh-token-lifetime", 60...31_536_000)
        if let given = try number(refreshTokenLifetime, for: option, in: range, " seconds") {
            lifetimes.refreshToken = TimeInterval(given)
        }
        return lifetimes
    }
}
