internal import CountersignServer
internal import CountersignWire

/// The words of the demo that say what to open and type.
struct DemoIntroduction: Sendable {
    let issuer: Issuer
    let password: String
    /// The certificate that a phone's browser warns of; `nil` where the server is reached from this machine only.
    let certificate: DemoCertificate?
    let phone: DemoPhone
    let desk: DemoBackchannelClient

    /// Prints them.
    ///
    /// - Parameter nearby: Whether the TV looks for a phone nearby.
    func say(nearby: Bool) {
        Terminal.say("This is a TV that wants to be signed in, and a server for it at \(issuer).\n")
        if certificate != nil {
            Terminal.say(
                "If phones cannot reach that address, start the demo with another one: --listen ADDRESS:0\n")
        }
        Terminal.say(opening)
        Terminal.say(
            """
            2. Sign in there as \(DemoAccounts.username) with the password \(password).
            3. Compare the code, look at who asks, and approve.
            """
        )
        if let certificate {
            Terminal.say(
                """

                The other terminals below need the certificate of the server, too; there, type first

                  export SSL_CERT_FILE=\(certificate.certificate.certificatePath)
                """
            )
        }
        if nearby {
            Terminal.say(
                """

                Or be the phone of \(DemoAccounts.name), which this TV finds by itself: in another terminal, type

                  \(phone.line.indented)
                """
            )
        }
        Terminal.say(
            """

            Or let a desk ask \(DemoAccounts.name) by name, and answer as her authenticator: in two other terminals, type

              \(desk.authenticatorLines(of: phone).indented)

              \(desk.askingLine.indented)
            """
        )
    }

    /// The account in lines beside the code, above which a small terminal scrolls the introduction away.
    var accountLines: [String] { ["and sign in there as \(DemoAccounts.username),", "password \(password)"] }

    private var opening: String {
        guard let certificate else {
            return "1. Open the link or scan the QR code below (on this machine: a phone cannot reach 127.0.0.1)."
        }
        let (first, last) = (certificate.fingerprint.prefix(48), certificate.fingerprint.dropFirst(48))
        return """
            1. On a phone in this network, scan the QR code below. Its browser warns once that it does not know the
               certificate, which was made for this demo. Let it show the certificate, and go on only if the SHA-256
               fingerprint is

                 \(first)
                 \(last)

               Any other one means that you would not reach this server. Until the demo ends, everybody on this
               network can open its pages.
            """
    }
}

extension String {
    /// The text with all lines indented like the first one.
    fileprivate var indented: String { replacing("\n", with: "\n  ") }
}
