internal import Countersign
internal import CountersignWire
internal import Foundation

/// The desk of the demo, which asks the person by name, and the authenticator that she answers on.
struct DemoBackchannelClient: Sendable {
    let issuer: Issuer
    /// The directory of the demo.
    let place: URL

    private var secretFile: String { place.appendingPathComponent("desk-secret").path }

    /// Makes the desk's secret, and writes it to the file that the command reads.
    func writeSecret() throws -> ClientSecret {
        let secret: ClientSecret = CodeMint(drawingFrom: .system).secret()
        try DemoFile.write(secret.revealed, to: secretFile)
        return secret
    }

    /// The commands that make a terminal the authenticator of the person, which the sign-in of the phone allows.
    func authenticatorLines(of phone: DemoPhone) -> String {
        """
        \(program) authenticator enroll --save \(phone.directory)
        \(program) approve --only inbox --save \(phone.directory)
        """
    }

    /// The command that the desk asks with.
    var askingLine: String {
        """
        \(program) signin --backchannel --person \(DemoAccounts.username) --message 'Your parcel' \\
            --issuer \(issuer.text) --client \(DemoAccounts.desk) --secret-file \(secretFile) \\
            --save \(place.appendingPathComponent("desk").path)
        """
    }

    private var program: String { CommandLine.arguments.first ?? "countersign" }
}
