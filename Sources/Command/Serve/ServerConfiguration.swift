internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import Logging
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The values that `serve` reads from its settings, and from the files that they name, before it opens the store.
/// `doctor` reads the same.
struct ServerConfiguration: Sendable {
    /// The addresses and certificates of the server.
    let exposure: Exposure
    let logger: Logger
    /// The settings of the server.
    let settings: ServerSettings

    /// Reads the settings.
    ///
    /// - Throws: a ``Failure`` for the first setting that keeps the server from starting.
    init(_ settings: ConfigReader) throws {
        exposure = try Exposure(settings)
        logger = try ServeCommand.logger(
            settings.string(forKey: "log-level") ?? "info",
            as: settings.string(forKey: "log-format") ?? "text"
        )
        self.settings = try Self.serverSettings(settings, exposure)
    }

    /// The settings of the server.
    private static func serverSettings(_ settings: ConfigReader, _ exposure: Exposure) throws -> ServerSettings {
        let sessions = try settings.wholeNumber("session-lifetime", in: 60...31_536_000) ?? 43_200
        let lostAnswers = try settings.wholeNumber("lost-answer-window", in: 0...86_400) ?? 3600
        let memory = try MemorySettings.limit(in: settings)
        let room = memory.room(forAtMost: FileLimit.connections(), isEncrypted: exposure.certificate != nil)
        return ServerSettings(
            issuer: exposure.issuer,
            trustedProxies: exposure.trustedProxies,
            certificate: exposure.certificate,
            localHosts: exposure.localHosts,
            crossPlatformOrigins: try ServeCommand.origins(settings.string(forKey: "cpa-origins") ?? ""),
            passkeyApps: try ServeCommand.androidApps(settings.string(forKey: "passkey-apps") ?? ""),
            longestWait: try settings.wholeNumber("longest-wait", in: 0...3600) ?? 60,
            browserSessionLifetime: Double(sessions),
            lostAnswerWindow: Double(lostAnswers),
            showsMetrics: exposure.isThisMachineOnly && exposure.operations == nil,
            passwordsAtOnce: memory.passwordsAtOnce,
            limits: try LimitSettings.limits(in: settings),
            nearbyScope: try ServeCommand.scope(settings.string(forKey: "nearby-scope") ?? ""),
            passwordScope: try ServeCommand.scope(
                settings.string(forKey: "password-scope") ?? "", called: "password-scope"),
            secondFactorScope: try ServeCommand.scope(
                settings.string(forKey: "second-factor-scope") ?? "", called: "second-factor-scope"),
            userVerifiedScope: try ServeCommand.scope(
                settings.string(forKey: "user-verified-scope") ?? "", called: "user-verified-scope"),
            userVerifyingApps: clients(settings.string(forKey: "user-verifying-apps") ?? ""),
            recentScope: try ServeCommand.recentScope(settings.string(forKey: "recent-scope") ?? ""),
            deliberateScope: try ServeCommand.scope(
                settings.string(forKey: "deliberate-scope") ?? "", called: "deliberate-scope"),
            auditLifetime: try settings.auditLifetime(),
            connections: ConnectionLimits(room: room),
            requiresDPoPNonce: try settings.truth("require-dpop-nonce"),
            registration: try registration(settings),
            mutualTLS: exposure.clientCertificates?.mutualTLS,
            delivery: try DeliveryConfiguration(settings).delivery(over: SystemTransport.make(), clock: .system),
            phoneNumbers: try DeliveryConfiguration(settings).phoneNumbers,
            legacyAuthenticator: try LegacySettings.authenticator(in: settings),
            pins: try settings.string(forKey: "authenticator-pins").map(pins),
            brand: try PageSettings.brand(in: settings),
            language: try PageSettings.language(in: settings)
        )
    }

    /// The signed list of certificates in a file.
    private static func pins(at path: String) throws -> SignedCertificatePins {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("The list of pins \(path) cannot be read.")
        }
        do {
            return try SignedCertificatePins(SuppliedText.text(bytes, of: "The list of pins \(path)"))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("The file \(path) holds no list of pins. One is made by: countersign admin pins sign")
        }
    }

    /// The rules for registering clients; `nil` if nobody may.
    private static func registration(_ settings: ConfigReader) throws -> RegistrationPolicy? {
        let chosen = settings.string(forKey: "registration")
        let text = chosen ?? "off"
        let scope = settings.string(forKey: "registration-scope")
        guard chosen != nil || scope == nil else {
            throw Failure("--registration-scope needs --registration.", status: .usage)
        }
        let added = try ServeCommand.scope(scope ?? "", called: "registration-scope")
        guard text != "off" else { return nil }
        guard let access = RegistrationPolicy.Access(rawValue: text) else {
            throw Failure(
                "The setting registration is off, token or open; not \(text.isEmpty ? "an empty text" : text).",
                status: .usage
            )
        }
        return RegistrationPolicy(access: access, scope: added)
    }

    /// The clients that a text names, with spaces between.
    private static func clients(_ text: String) -> Set<ClientID> {
        Set(text.split(separator: " ").map { ClientID(String($0)) })
    }
}
