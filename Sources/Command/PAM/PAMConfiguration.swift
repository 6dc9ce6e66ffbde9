internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The configuration of a host for sign-ins by its PAM services.
struct PAMConfiguration: Sendable {
    let issuer: Issuer
    let client: ClientIdentity
    let people: PeopleMapping
    /// The certificates to trust, in a file; `nil` for the system's.
    private let certificates: String?
    /// The rules by the names of the services; others are not asked for here.
    let services: [String: PAMServiceRule]

    /// The file where the module's command reads it.
    static let standardPath = "/etc/countersign/pam.json"

    /// Reads the file at `path`, and those that it names.
    ///
    /// - Throws: a ``CommandError`` that says which member to change.
    init(at path: String) throws(CommandError) {
        try self.init(.read(at: path))
    }

    /// Reads the files that a file names.
    ///
    /// - Throws: a ``CommandError`` when one of them cannot be used.
    init(_ file: PAMConfigurationFile) throws(CommandError) {
        let secret = try file.secretFile.map { path throws(CommandError) in
            ClientSecret(revealing: try PrivateKeyFile.text(at: path).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        issuer = file.issuer
        client = ClientIdentity(file.client, secret: secret)
        people = try Self.mapping(file.people)
        certificates = file.certificates
        services = file.services
    }

    /// Lets the transport trust the certificates; it reads the variable when it is first used.
    func trustCertificates() {
        if let certificates { setenv("SSL_CERT_FILE", certificates, 1) }
    }

    /// The rule that says who a local user is, from its word in the file.
    private static func mapping(_ word: String) throws(CommandError) -> PeopleMapping {
        if word == "preferred_username" { return .username }
        if word.hasPrefix("claim:"), word.utf8.count > 6 { return .claim(String(word.dropFirst(6))) }
        if word.hasPrefix("file:/") {
            let path = String(word.dropFirst(5))
            return .file(try PeopleMapping.people(in: try OperatorFile.text(at: path), of: path))
        }
        throw CommandError("people takes preferred_username, claim:NAME or file:/PATH.")
    }
}
