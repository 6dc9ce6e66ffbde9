internal import ArgumentParser
internal import CountersignServer

/// The options that describe a client: shared by `client add` and `client change`.
struct ClientFacts: ParsableArguments {
    @Option(help: "The name that people are shown. (default: the identifier)")
    var name: String?

    @Option(
        help: ArgumentHelp(
            """
            How it may redeem: authorization_code, device_code, refresh_token, client_credentials, \
            token-exchange, ciba, pre-authorized_code. Repeatable. \
            (default: device_code and refresh_token; with a --redirect-uri authorization_code in place of device_code, \
            or beside it where all of them are addresses of this machine)
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

    @Option(
        help: """
            An audience whose tokens it may introspect. Repeatable; those that are named replace all, and one that is empty \
            takes all away.
            """)
    var serves: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where a browser may take the answer to its authorization requests: an https address, an address of this \
            machine (any port, if it names none), or a scheme like org.example.app:/done. Repeatable; those that are \
            named replace all, and one that is empty takes all away.
            """,
            valueName: "address"
        )
    )
    var redirectURI: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where a browser may go after the app had its person signed out. Repeatable; those that are named replace all, \
            and one that is empty takes all away.
            """,
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
            """
            The origin of its web pages, if they call the server from a browser. Repeatable; those that are named replace \
            all, and one that is empty takes all away.
            """,
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

    /// The members that the options set.
    ///
    /// - Throws: a ``CommandError`` for options that do not go together.
    func draft() throws -> ClientDraft {
        guard !noGrants || grant.isEmpty else {
            throw CommandError.usage("--grant and --no-grants do not go together.")
        }
        var draft = ClientDraft()
        let texts: KeyValuePairs<ClientMember, String?> = [
            .name: name, .scope: scope, .tokenFormat: tokenFormat, .idTokenAlgorithm: idTokenAlgorithm,
            .audience: audience, .logoutURI: backChannelLogoutURI, .logoutSession: backChannelLogoutSession,
            .consent: consent, .pushedRequests: pushedRequests, .signedRequests: signedRequests, .pkce: pkce,
            .dpop: dpop, .profile: profile, .linkApproval: linkApproval, .minimumEvidence: minimumEvidence,
            .codeLifetime: codeLifetime.map { "\($0)" }, .accessTokenLifetime: accessTokenLifetime.map { "\($0)" },
            .refreshTokenLifetime: refreshTokenLifetime.map { "\($0)" },
        ]
        for (member, text) in Array(texts) + backchannel.texts { draft[member] = text.map { [$0] } }
        let lists: KeyValuePairs<ClientMember, [String]> = [
            .serves: serves, .redirectURIs: redirectURI, .postLogoutRedirectURIs: postLogoutRedirectURI,
            .webOrigins: webOrigin, .grantTypes: grant.flatMap { $0.split(separator: ",").map(String.init) },
        ]
        for (member, texts) in lists where !texts.isEmpty { draft[member] = texts }
        if noGrants { draft[.grantTypes] = [] }
        return draft
    }
}
