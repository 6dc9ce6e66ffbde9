internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The settings of the server itself.
///
/// ``Exposure`` reads those of addresses, certificates and proxies, which depend on one another.
enum ServeSettings: SettingSection {
    static let settings = [
        Setting("listen", takes: "host:port", "Where to listen. (default: 127.0.0.1:8080; port 0 takes a free one)"),
        Setting(
            "tls-certificate", takes: "file",
            "A file with the TLS certificate and those that vouch for it, as PEM. It is read again when it changes."),
        Setting("tls-key", takes: "file", "A file with the certificate's private key, as PEM without a passphrase."),
        Setting(
            "client-certificates", takes: "file",
            "A file with the authorities whose certificates apps may authenticate by, as PEM."),
        Setting(
            "client-certificates-listen", takes: "host:port",
            "Where to listen besides for apps with certificates; browsers must not come here."),
        Setting(
            "client-certificates-url", takes: "url",
            "The https address of that listener. (default: the issuer's host with the port of the listener)"),
        Setting(
            "trusted-proxies", takes: "addresses",
            "The addresses or networks of proxies in front, with commas between: their X-Forwarded-For is believed.",
            form: .list),
        .value(
            "cpa-origins", takes: "origins",
            "The web pages that may ask below /cpa, by origin, with commas between. (default: none)",
            form: .list, to: \.crossPlatformOrigins
        ) { text in
            try Setting.list(
                text, orSay: "is no origin of web pages, as in https://radio.example.com.", WebOrigin.init(parsing:))
        },
        .value(
            "passkey-apps", takes: "origins",
            "Your own Android apps that may use passkeys, as android:apk-key-hash:…, with commas between. (default: none)",
            form: .list, to: \.passkeyApps, passkeyApps),
        Setting(
            "operations-listen", takes: "host:port",
            "Where to answer /metrics, /health/live and /health/ready besides; only your own machines should reach it."),
        Setting(
            "allow-insecure-http",
            "Let codes, passwords and tokens cross a network where others can read them. For experiments only.",
            form: .truth),
        .seconds(
            "longest-wait",
            "How long a requester may hold a token request open, in seconds. (default: 60; 0 for not at all)",
            in: 0...3600, to: \.longestWait),
        .seconds(
            "session-lifetime", "How long a browser stays signed in, in seconds. (default: 43200)",
            in: 60...31_536_000, to: \.browserSessionLifetime),
        .seconds(
            "lost-answer-window",
            """
            For how long a lost token answer is repeated to an app that shows nothing but its network, in seconds. \
            (default: 3600; 0 for ten seconds at most)
            """,
            in: 0...86_400, to: \.lostAnswerWindow),
        Setting(
            "memory", takes: "bytes",
            """
            How much memory the server may use, as in 512M or 2G. A smaller limit of its control group counts instead. \
            (default: that limit, or the memory of the machine)
            """
        ) { settings, server in
            let memory = try memory(in: settings)
            let room = memory.room(forAtMost: FileLimit.connections(), isEncrypted: server.certificate != nil)
            server.passwordsAtOnce = memory.passwordsAtOnce
            server.connections = ConnectionLimits(room: room)
        },
        .value(
            "minimum-evidence", takes: "demands",
            """
            The least evidence for words of a scope, as in "door=nearby pay=user_verified,recent:300": nearby, number, \
            device_key, password, second_factor, user_verified, recent: with seconds, deliberate. (default: none)
            """,
            to: \.minimumEvidence, minimumEvidence),
        .value(
            "user-verifying-apps", takes: "clients",
            """
            The apps that are believed when their enrolled devices say that they verified the person: identifiers of \
            clients, with spaces between. (default: none)
            """,
            to: \.userVerifyingApps
        ) { text in
            Set(text.split(separator: " ").map { ClientID(String($0)) })
        },
        .truth(
            "require-dpop-nonce", "Every DPoP proof needs a nonce of the server, whichever client sends it.",
            to: \.requiresDPoPNonce),
        Setting(
            "registration", takes: "whom",
            "Who may register apps at /register: off, token (of admin registration-token), or open. (default: off)"
        ) {
            $1.registration = try registration(in: $0)
        },
        Setting(
            "registration-scope", takes: "words",
            """
            What apps that register themselves may ask for besides openid, profile and offline_access, in words of a \
            scope. (default: nothing)
            """,
            needs: "registration"),
        Setting(
            "legacy-authenticator",
            "Answer devices whose apps were built with the older SDK, at /authenticator/v1.0. Weaker than our own.",
            form: .truth
        ) {
            $1.legacyAuthenticator = try legacyAuthenticator(in: $0)
        },
        Setting(
            "legacy-pin-key", takes: "file",
            "A file with the RSA key whose public half is built into such apps, as PEM; it signs their list of pins."),
        .value(
            "authenticator-pins", takes: "file",
            "A file with the signed list of certificates that apps accept, made by 'countersign admin pins sign'.",
            to: \.pins, pins),
        Setting(
            "limits", takes: "name=10/60",
            "A limit: so many times in so many seconds, or off. Repeat it for others. (see Documentation/Limits.md)",
            form: .limits
        ) {
            $1.limits = try LimitSettings.limits(in: $0)
        },
        Setting(
            "audit-lifetime", takes: "days", "How long an entry of the audit is kept, in days. (default: 400)",
            form: .number
        ) {
            $1.auditLifetime = try $0.auditLifetime()
        },
        Setting(
            "audit-key", takes: "file",
            "The key that signs where the audit ends, as PEM; made if missing. (default: audit-key.pem beside the database)"
        ),
        Setting(
            "log-level", takes: "level",
            "How much to log: trace, debug, info, notice, warning, error, critical. (default: info)"),
        Setting("log-format", takes: "form", "How log lines are written: text or json. (default: text)"),
    ]
}
