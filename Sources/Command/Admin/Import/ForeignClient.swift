internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// A client in an export of another system. Its secret is not read: this server mints its own.
protocol ForeignClient: Decodable, Sendable {
    var clientId: String { get }
    /// Whether it is a part of the other system itself.
    var isOwn: Bool { get }

    /// The registration at this server.
    ///
    /// - Parameters:
    ///   - secret: The digest of the secret that a confidential client gets.
    ///   - now: The time of the registration.
    /// - Throws: ``ImportLineError`` with the first reason to refuse it.
    func registration(
        holding secret: SecretDigest, at now: Date
    ) throws(ImportLineError) -> ForeignClientRegistration
}

/// The registration of a client, with the notes about what was left out.
struct ForeignClientRegistration {
    var client: Client
    var notes: [String]
}

extension ForeignClient {
    /// Its identifier here.
    var identifier: ClientID {
        get throws(ImportLineError) {
            guard let id = ClientID(operatorsText: clientId) else {
                throw ImportLineError("\(ClientDraftError.badIdentifier)")
            }
            return id
        }
    }

    /// The name that people see; a placeholder such as `${client_account}` counts as none.
    func shown(_ name: String?) -> String {
        let name = TypedText.trimmed(name ?? "")
        return name.isLine(of: 1...200) && !name.hasPrefix("${") ? name : clientId
    }

    /// The grant of the authorization code, unless no address is left for it, which is noted.
    func codeGrant(at redirectURIs: [String], noting notes: inout [String]) -> [GrantType] {
        guard redirectURIs.isEmpty else { return [.authorizationCode] }
        notes.append("authorization code not taken: no redirect URI is left.")
        return []
    }

    /// The refusal of a client without a grant type.
    func noFlowError(_ notes: [String]) -> ImportLineError {
        ImportLineError("None of its flows can be taken. \(notes.joined(separator: " "))")
    }

    /// The addresses that may be registered; others are noted.
    ///
    /// - Parameters:
    ///   - given: The addresses.
    ///   - noun: The noun for one of them.
    ///   - root: The beginning of those that begin with a slash.
    ///   - notes: Gets a note about each that is not taken.
    func addresses(
        _ given: [String], _ noun: String, below root: String = "", noting notes: inout [String]
    ) -> [String] {
        var taken: [String] = []
        for text in given {
            let address = text.hasPrefix("/") ? root + text : text
            let objection = address.contains("*") ? "it has a wildcard." : RedirectURIRules.objection(to: address)
            if let objection {
                notes.append("\(noun) \(text.brief) not taken: \(objection)")
            } else if !taken.contains(address) {
                taken.append(address)
            }
        }
        return taken
    }
}

/// The clients of an export, by their place in its list.
struct ForeignClients {
    let entries: [(place: Int, client: Result<any ForeignClient, ImportLineError>)]

    /// Reads a Keycloak realm's export, or the list of Glewlwyd's clients.
    ///
    /// - Throws: a ``CommandError`` for JSON that is neither, or is cut off.
    init(_ bytes: [UInt8], called source: String) throws(CommandError) {
        // White space before it is that of JSON.
        if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "[") {
            let list = try GlewlwydClient.list(bytes, called: source)
            entries = list.enumerated().map { ($0 + 1, $1.map { $0 as any ForeignClient }) }
        } else {
            entries = try KeycloakRealm(bytes, called: source).entries.map { ($0, $1.map { $0 as any ForeignClient }) }
        }
    }
}
