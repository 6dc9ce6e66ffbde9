internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The configuration of a host for sign-ins by its PAM services.
struct PAMConfiguration: Sendable {
    let issuer: Issuer
    /// The host as the server's client, for the user of this process.
    let client: ClientIdentity
    /// The client for applications that ask as a user who may not read the secret; `nil` for none.
    let publicClient: ClientID?
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
        issuer = file.issuer
        client = try Self.client(of: file)
        publicClient = file.publicClient
        people = try Self.mapping(file.people)
        certificates = file.certificates
        services = file.services
    }

    /// Whether it is that of an application that asks as a user who may not read the secret.
    var isForUser: Bool { client.id == publicClient }

    /// The client of a host: the public one for a user who may not read the secret, as of a screen locker.
    private static func client(of file: PAMConfigurationFile) throws(CommandError) -> ClientIdentity {
        guard let path = file.secretFile else { return ClientIdentity(file.client) }
        if let publicClient = file.publicClient, geteuid() != 0, SuppliedText.isDenied(path) {
            return ClientIdentity(publicClient)
        }
        let secret = try PrivateKeyFile.text(at: path).trimmingCharacters(in: .whitespacesAndNewlines)
        return ClientIdentity(file.client, secret: ClientSecret(revealing: secret))
    }

    /// Lets the transport trust the certificates.
    ///
    /// - Throws: a ``CommandError`` when their file cannot be used, or others may change it.
    func trustCertificates() throws(CommandError) {
        guard let certificates else { return }
        try TrustedCertificates.use(try OperatorFile.bytes(at: certificates), of: certificates, by: "ca-file")
    }

    /// The file of people that the word for them names; `nil` for none.
    static func fileOfPeople(_ word: String) -> String? { word.hasPrefix("file:/") ? String(word.dropFirst(5)) : nil }

    /// The rule that says who a local user is, from its word in the file.
    private static func mapping(_ word: String) throws(CommandError) -> PeopleMapping {
        if word == "preferred_username" { return .username }
        if word.hasPrefix("claim:"), word.utf8.count > 6 { return .claim(String(word.dropFirst(6))) }
        if let path = fileOfPeople(word) {
            return .file(try PeopleMapping.people(in: try OperatorFile.text(at: path), of: path))
        }
        throw CommandError("people takes preferred_username, claim:NAME or file:/PATH.")
    }
}
