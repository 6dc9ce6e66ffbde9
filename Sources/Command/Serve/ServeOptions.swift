internal import ArgumentParser
internal import Configuration
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The options for reaching the server: shared by `serve` and `doctor`.
struct ServeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to listen. (default: 127.0.0.1:8080; port 0 takes a free one)",
            discussion: "Key listen, environment COUNTERSIGN_LISTEN.",
            valueName: "host:port"
        )
    )
    var listen: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the TLS certificate and those that vouch for it, as PEM. It is read again when it changes.",
            discussion: "Key tls-certificate, environment COUNTERSIGN_TLS_CERTIFICATE.",
            valueName: "file"
        )
    )
    var tlsCertificate: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the certificate's private key, as PEM without a passphrase.",
            discussion: "Key tls-key, environment COUNTERSIGN_TLS_KEY.",
            valueName: "file"
        )
    )
    var tlsKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the authorities whose certificates apps may authenticate by, as PEM.",
            discussion: "Key client-certificates, environment COUNTERSIGN_CLIENT_CERTIFICATES.",
            valueName: "file"
        )
    )
    var clientCertificates: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to listen besides for apps with certificates; browsers must not come here.",
            discussion: "Key client-certificates-listen, environment COUNTERSIGN_CLIENT_CERTIFICATES_LISTEN.",
            valueName: "host:port"
        )
    )
    var clientCertificatesListen: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The https address of that listener. (default: the issuer's host with the port of the listener)",
            discussion: "Key client-certificates-url, environment COUNTERSIGN_CLIENT_CERTIFICATES_URL.",
            valueName: "url"
        )
    )
    var clientCertificatesURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The addresses or networks of proxies in front, with commas between: their X-Forwarded-For is believed.",
            discussion: "Key trusted-proxies, which may be a list; environment COUNTERSIGN_TRUSTED_PROXIES.",
            valueName: "addresses"
        )
    )
    var trustedProxies: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The web pages that may ask below /cpa, by origin, with commas between. (default: none)",
            discussion: "Key cpa-origins, which may be a list; environment COUNTERSIGN_CPA_ORIGINS.",
            valueName: "origins"
        )
    )
    var cpaOrigins: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Your own Android apps that may use passkeys, as android:apk-key-hash:…, with commas between. (default: none)",
            discussion: "Key passkey-apps, which may be a list; environment COUNTERSIGN_PASSKEY_APPS.",
            valueName: "origins"
        )
    )
    var passkeyApps: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to answer /metrics, /health/live and /health/ready besides; only your own machines should reach it.",
            discussion: "Key operations-listen, environment COUNTERSIGN_OPERATIONS_LISTEN.",
            valueName: "host:port"
        )
    )
    var operationsListen: String?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Let codes, passwords and tokens cross a network where others can read them. For experiments only.",
            discussion: "Key allow-insecure-http, environment COUNTERSIGN_ALLOW_INSECURE_HTTP."
        )
    )
    var allowInsecureHttp = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a requester may hold a token request open, in seconds. (default: 60; 0 for not at all)",
            discussion: "Key longest-wait, environment COUNTERSIGN_LONGEST_WAIT.",
            valueName: "seconds"
        )
    )
    var longestWait: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a browser stays signed in, in seconds. (default: 43200)",
            discussion: "Key session-lifetime, environment COUNTERSIGN_SESSION_LIFETIME.",
            valueName: "seconds"
        )
    )
    var sessionLifetime: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            For how long a lost token answer is repeated to an app that shows nothing but its network, in seconds. \
            (default: 3600; 0 for ten seconds at most)
            """,
            discussion: "Key lost-answer-window, environment COUNTERSIGN_LOST_ANSWER_WINDOW.",
            valueName: "seconds"
        )
    )
    var lostAnswerWindow: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            How much memory the server may use, as in 512M or 2G. A smaller limit of its control group counts instead. \
            (default: that limit, or the memory of the machine)
            """,
            discussion: "Key memory, environment COUNTERSIGN_MEMORY.",
            valueName: "bytes"
        )
    )
    var memory: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is given only to screens in front of their person, in words of a scope. (default: none)",
            discussion: "Key nearby-scope, environment COUNTERSIGN_NEARBY_SCOPE.",
            valueName: "words"
        )
    )
    var nearbyScope: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is given only after a sign-in with a password or passkey of this server. (default: none)",
            discussion: "Key password-scope, environment COUNTERSIGN_PASSWORD_SCOPE.",
            valueName: "words"
        )
    )
    var passwordScope: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is given only after a sign-in with a passkey or a one-time password, in words of a scope. (default: none)",
            discussion: "Key second-factor-scope, environment COUNTERSIGN_SECOND_FACTOR_SCOPE.",
            valueName: "words"
        )
    )
    var secondFactorScope: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            What is given only if a passkey, or a device of --user-verifying-apps, confirms the request, in words of a scope. \
            (default: none)
            """,
            discussion: "Key user-verified-scope, environment COUNTERSIGN_USER_VERIFIED_SCOPE.",
            valueName: "words"
        )
    )
    var userVerifiedScope: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The apps that are believed when their enrolled devices say that they verified the person: identifiers of \
            clients, with spaces between. (default: none)
            """,
            discussion: "Key user-verifying-apps, environment COUNTERSIGN_USER_VERIFYING_APPS.",
            valueName: "clients"
        )
    )
    var userVerifyingApps: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is given only so many seconds after a sign-in here, as in \"pay=300 transfer=60\". (default: none)",
            discussion: "Key recent-scope, environment COUNTERSIGN_RECENT_SCOPE.",
            valueName: "words"
        )
    )
    var recentScope: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What can be approved on a page only three seconds after it is shown, in words of a scope. (default: none)",
            discussion: "Key deliberate-scope, environment COUNTERSIGN_DELIBERATE_SCOPE.",
            valueName: "words"
        )
    )
    var deliberateScope: String?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Every DPoP proof needs a nonce of the server, whichever client sends it.",
            discussion: "Key require-dpop-nonce, environment COUNTERSIGN_REQUIRE_DPOP_NONCE."
        )
    )
    var requireDpopNonce = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Who may register apps at /register: off, token (of admin registration-token), or open. (default: off)",
            discussion: "Key registration, environment COUNTERSIGN_REGISTRATION.",
            valueName: "whom"
        )
    )
    var registration: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            What apps that register themselves may ask for besides openid, profile and offline_access, in words of a \
            scope. (default: nothing)
            """,
            discussion: "Key registration-scope, environment COUNTERSIGN_REGISTRATION_SCOPE.",
            valueName: "words"
        )
    )
    var registrationScope: String?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Answer devices whose apps were built with the older SDK, at /authenticator/v1.0. Weaker than our own.",
            discussion: "Key legacy-authenticator, environment COUNTERSIGN_LEGACY_AUTHENTICATOR."
        )
    )
    var legacyAuthenticator = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the RSA key whose public half is built into such apps, as PEM; it signs their list of pins.",
            discussion: "Key legacy-pin-key, environment COUNTERSIGN_LEGACY_PIN_KEY.",
            valueName: "file"
        )
    )
    var legacyPinKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the signed list of certificates that apps accept, made by 'countersign admin pins sign'.",
            discussion: "Key authenticator-pins, environment COUNTERSIGN_AUTHENTICATOR_PINS.",
            valueName: "file"
        )
    )
    var authenticatorPins: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A limit: so many times in so many seconds, or off. Repeat it for others. (see Documentation/Limits.md)",
            discussion: "Key limits, an object; environment COUNTERSIGN_LIMITS_ and the name, with _ for each -.",
            valueName: "name=10/60"
        )
    )
    var limit: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long an entry of the audit is kept, in days. (default: 400)",
            discussion: "Key audit-lifetime, environment COUNTERSIGN_AUDIT_LIFETIME.",
            valueName: "days"
        )
    )
    var auditLifetime: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The key that signs where the audit ends, as PEM; made if missing. (default: audit-key.pem beside the database)",
            discussion: "Key audit-key, environment COUNTERSIGN_AUDIT_KEY.",
            valueName: "file"
        )
    )
    var auditKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How much to log: trace, debug, info, notice, warning, error, critical. (default: info)",
            discussion: "Key log-level, environment COUNTERSIGN_LOG_LEVEL.",
            valueName: "level"
        )
    )
    var logLevel: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How log lines are written: text or json. (default: text)",
            discussion: "Key log-format, environment COUNTERSIGN_LOG_FORMAT.",
            valueName: "form"
        )
    )
    var logFormat: String?

    @OptionGroup(title: "Pages") var pages: PageOptions

    @OptionGroup(title: "Telephones and webhooks") var delivery: DeliveryOptions

    /// The options of the command line, by the keys of the settings.
    ///
    /// - Throws: a ``Failure`` for a limit that cannot be read.
    var flags: [String: String?] {
        get throws {
            let plain: [String: String?] = [
                "allow-insecure-http": allowInsecureHttp ? "true" : nil,
                "audit-key": auditKey,
                "authenticator-pins": authenticatorPins,
                "audit-lifetime": auditLifetime.map(String.init),
                "client-certificates": clientCertificates,
                "client-certificates-listen": clientCertificatesListen,
                "client-certificates-url": clientCertificatesURL,
                "cpa-origins": cpaOrigins,
                "legacy-authenticator": legacyAuthenticator ? "true" : nil,
                "legacy-pin-key": legacyPinKey,
                "listen": listen,
                "log-format": logFormat,
                "log-level": logLevel,
                "longest-wait": longestWait.map(String.init),
                "lost-answer-window": lostAnswerWindow.map(String.init),
                "memory": memory,
                "nearby-scope": nearbyScope,
                "passkey-apps": passkeyApps,
                "password-scope": passwordScope,
                "second-factor-scope": secondFactorScope,
                "user-verified-scope": userVerifiedScope,
                "user-verifying-apps": userVerifyingApps,
                "recent-scope": recentScope,
                "deliberate-scope": deliberateScope,
                "operations-listen": operationsListen,
                "registration": registration,
                "registration-scope": registrationScope,
                "require-dpop-nonce": requireDpopNonce ? "true" : nil,
                "session-lifetime": sessionLifetime.map(String.init),
                "tls-certificate": tlsCertificate,
                "tls-key": tlsKey,
                "trusted-proxies": trustedProxies,
            ]
            return plain.merging(delivery.flags) { $1 }.merging(pages.flags) { $1 }.merging(
                try LimitSettings.flags(limit)
            ) { $1 }
        }
    }
}
