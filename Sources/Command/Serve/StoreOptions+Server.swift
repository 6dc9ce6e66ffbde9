internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignWire

extension StoreOptions {
    /// Writes the settings of a server that starts to its database, as far as links and mails of `admin` depend on
    /// them, so that a command that names the database alone makes links that lead to that server.
    ///
    /// - Parameters:
    ///   - settings: The settings of the server.
    ///   - issuer: Its issuer, which may follow from the address or the certificate.
    ///   - store: Its database.
    static func keep(_ settings: ConfigReader, at issuer: Issuer, in store: any Store) async throws {
        let served = [
            ServedSetting(key: "allow-insecure-http", value: "\(try settings.truth("allow-insecure-http"))"),
            ServedSetting(key: "issuer", value: issuer.text),
            ServedSetting(key: "mail", value: DeliveryConfiguration(settings).mailGateway),
        ]
        try await store.change { repositories in
            for setting in served { try repositories.servedSettings.keep(setting) }
        }
    }

    /// The settings of all sources, and where they say nothing, those of the server that last ran with the database.
    func settingsOfServer() async throws -> ConfigReader {
        var providers = try providers([:])
        let settings = ConfigReader(providers: providers)
        guard settings.string(forKey: "database") != nil || DataLocation(settings).isTaken else { return settings }
        let opened = try open(by: settings)
        let served = try await opened.store.read { try $0.servedSettings.all() }
        try await opened.close()
        providers.append(
            Self.provider("server", of: Dictionary(uniqueKeysWithValues: served.map { ($0.key, $0.value) })))
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
