internal import Countersign
internal import CountersignGate
internal import CountersignTransport
internal import Foundation
internal import Logging

/// The set-up of a gate, as its file describes it: the same for a start, `gate --check` and `doctor gate`.
struct GateSetup: Sendable {
    /// The file where a gate reads its configuration.
    static let standardPath = "/etc/countersign/gate.json"

    let configuration: GateConfiguration
    /// The address for the proxies.
    let address: ListenAddress
    private let secret: ClientSecret
    private let transport: any HTTPTransport

    /// Reads the file, and those that it names.
    init(in path: String) throws(CommandError) {
        let bytes = try SuppliedText.bytes(in: path, called: "The configuration file")
        do throws(GateConfigurationError) {
            configuration = try GateConfiguration(reading: bytes)
        } catch {
            throw CommandError("\(path): \(error)")
        }
        address = try ListenAddress(configuration.listen, from: .member(of: path))
        let secret = try SuppliedText.secret(in: configuration.secretFile)
        guard !secret.isEmpty else { throw CommandError("The file \(configuration.secretFile) is empty.") }
        self.secret = ClientSecret(revealing: secret)
        if let path = configuration.certificates {
            try TrustedCertificates.use(path, by: "ca-file", called: "The ca-file")
        }
        transport = SystemTransport.make()
    }

    /// The look at the folder and the server.
    var check: GateCheck {
        GateCheck(configuration, secret: secret, over: transport, clock: .system, random: .system)
    }

    /// The problem of an address on which this user cannot listen, and the findings of ``check``. Nothing is written.
    var findings: [GateFinding] {
        get async { addressFindings + (await check.findings()) }
    }

    private var addressFindings: [GateFinding] {
        do {
            // It may be taken, as by the gate itself.
            try address.tried(allowingTaken: true)
            return []
        } catch {
            return [.problem(.address, "\(error)", advice: "The gate does not start like this.")]
        }
    }

    /// The gate, with keys of its own if there are none.
    func gate(logger: Logger) throws(CommandError) -> Gate {
        do throws(GateStateError) {
            return try Gate(
                configuration, secret: secret, over: transport, clock: .system, random: .system, logger: logger)
        } catch {
            throw CommandError(error.description)
        }
    }
}
