internal import CountersignServer

/// The addresses where the server listens, its certificate, and the proxies in front.
///
/// ``Exposure`` reads them, because they depend on one another.
enum AddressSettings: SettingSection {
    static let settings = [
        Setting("listen", takes: "host:port", "Where to listen. (default: 127.0.0.1:8080; port 0 takes a free one)"),
        Setting(
            "tls-certificate", takes: "file",
            "A file with the TLS certificate and those that vouch for it, as PEM. It is read again when it changes."),
        Setting("tls-key", takes: "file", "A file with the certificate's private key, as PEM without a passphrase."),
        Setting(
            "trusted-proxies", takes: "addresses",
            "The addresses or networks of proxies in front, with commas between: their X-Forwarded-For is believed.",
            form: .list),
        Setting(
            "allow-insecure-http",
            "Let codes, passwords and tokens cross a network where others can read them. For experiments only.",
            form: .truth),
    ]
}
