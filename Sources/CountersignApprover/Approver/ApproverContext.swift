public import Countersign
public import CountersignTransport

/// The network, the clocks and the source of secrets of an approver.
///
/// An app that pins certificates and a test use their own:
///
/// ```swift
/// let context = ApproverContext(over: transport, renewing: pins, clock: .system, random: .system)
/// let approver = Approver(for: account, keepingKeysIn: keys, in: context)
/// ```
public struct ApproverContext: Sendable {
    let transport: any HTTPTransport
    let pins: CertificatePins?
    let clock: TimeSource
    let random: RandomSource

    /// A context with another network, clock or source of secrets than the system's.
    ///
    /// - Parameters:
    ///   - transport: The network.
    ///   - pins: The certificates that the app accepts, which are renewed at each ``Approver/checkRegistration()``;
    ///     `nil`, the default, for an app that pins none.
    ///   - clock: The clocks of this device. The server's time counts wherever both matter.
    ///   - random: The source of the decisions' names.
    public init(
        over transport: any HTTPTransport,
        renewing pins: CertificatePins? = nil,
        clock: TimeSource,
        random: RandomSource
    ) {
        self.transport = transport
        self.pins = pins
        self.clock = clock
        self.random = random
    }

    /// This machine's network, its clocks and its generator.
    public static var system: ApproverContext {
        ApproverContext(over: SystemTransport.make(), clock: .system, random: .system)
    }
}
