internal import Configuration
internal import Countersign
internal import CountersignWire
internal import Foundation

/// The settings of the server that last ran with an embedded database, as far as links and mails of `admin` depend on
/// them. They are a file beside the database, so that a command that names the database alone makes links that lead to
/// that server.
struct ServerRecord: Sendable {
    static let file = "server.json"

    /// The values, by the keys of their settings.
    let values: [String: String]

    /// The record of a server that starts.
    ///
    /// - Parameters:
    ///   - settings: Its settings.
    ///   - issuer: Its issuer, which may follow from the address or the certificate.
    init(of settings: ConfigReader, at issuer: Issuer) throws {
        values = [
            "issuer": issuer.text, "mail": DeliveryConfiguration(settings).mailGateway,
            "allow-insecure-http": "\(try settings.truth("allow-insecure-http"))",
        ]
    }

    /// The record beside the embedded database; `nil` for a shared one, and where no server has run.
    ///
    /// - Throws: a ``CommandError`` for a file that cannot be used.
    init?(beside settings: ConfigReader) throws {
        guard settings.string(forKey: "database") == nil else { return nil }
        let path = DataLocation(settings).directory.appendingPathComponent(Self.file).path
        guard FileStatus(at: path)?.kind == .file else { return nil }
        values = try SettingsFile(path).values
    }

    /// Writes the record beside the embedded database, in place of an earlier one.
    func write(beside settings: ConfigReader) throws {
        guard settings.string(forKey: "database") == nil else { return }
        let bytes = Array(try JSONEncoder().encode(values))
        try PrivateDirectory(path: DataLocation(settings).path).replace(Self.file, by: bytes)
    }
}

extension StoreOptions {
    /// The settings of all sources, and where they say nothing, those of the server that last ran with the database.
    func settingsOfServer() throws -> ConfigReader {
        var providers = try providers([:])
        if let record = try ServerRecord(beside: ConfigReader(providers: providers)) {
            providers.append(Self.provider("server", of: record.values))
        }
        return ConfigReader(providers: providers)
    }

    /// The issuer of the server that uses the database.
    ///
    /// - Parameter settings: The settings with the record of that server; see ``settingsOfServer()``.
    /// - Throws: a ``CommandError`` where neither the settings nor an earlier run tell it.
    static func issuer(by settings: ConfigReader) throws -> Issuer {
        if let named = settings.string(forKey: "issuer") {
            return try ServeCommand.issuer(named, allowingInsecureHTTP: settings.truth("allow-insecure-http"))
        }
        guard Exposure.isNamed(in: settings) else {
            let database = settings.string(forKey: "database") == nil ? " in \(DataLocation(settings).path)" : ""
            throw CommandError.usage(
                "The address of the server is not known, and no server has run with the database\(database) yet. "
                    + "Name it with --issuer, or the settings of the server with --config.")
        }
        return try Exposure(settings).issuer
    }
}
