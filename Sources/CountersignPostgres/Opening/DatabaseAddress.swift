#if PostgreSQL
internal import CLibPQ

/// The address of the database, with role and password. It never shows the password.
struct DatabaseAddress: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The given URL: for libpq only.
    let url: String
    /// The passwords in the URL, which must not be shown. libpq does not reveal passwords from other sources.
    private let secrets: [String]
    private let shown: String

    /// Reads a URL, as libpq does.
    ///
    /// Standard: PostgreSQL 15, §34.1.1.2 (connection URIs)
    init(_ url: String) throws(PostgresStoreOpeningError) {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            // libpq's error for a malformed URL may quote a part of it, and so the password.
            throw PostgresStoreOpeningError(.badURL, database: "the URL", reason: "it begins with another scheme")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            throw PostgresStoreOpeningError(.badURL, database: "the URL", reason: "libpq cannot read it")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        // A slash in a password that is not percent-encoded makes libpq read parts of it as port and database name.
        guard values["port"]?.allSatisfy({ $0.isNumber || $0 == "," }) ?? true,
            values["dbname"]?.contains(where: { $0 == "@" || $0 == "/" }) != true
        else {
            throw PostgresStoreOpeningError(.badURL, database: "the URL", reason: "it has an @ or / too many")
        }
        self.url = url
        secrets = [values["password"], values["sslpassword"]].compactMap { $0 }.filter { !$0.isEmpty }
        let user = values["user"].map { "\($0)@" } ?? ""
        let host = values["host"] ?? values["hostaddr"] ?? ""
        let port = values["port"].map { ":\($0)" } ?? ""
        shown = "postgres://\(user)\(host)\(port)/\(values["dbname"] ?? "")"
    }

    /// `text` with our passwords replaced.
    func redacting(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "[redacted]") }
    }

    var description: String { redacting(shown) }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
#endif
