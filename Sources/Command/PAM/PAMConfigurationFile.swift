internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The file of a host's configuration, before the files that it names are read.
///
/// It alone says which services ask: a service without a rule is none of ours whatever is wrong with the secret or the
/// people.
struct PAMConfigurationFile: Sendable {
    let issuer: Issuer
    let client: ClientID
    let secretFile: String?
    /// The client for applications that ask as a user who may not read the secret; `nil` for none.
    let publicClient: ClientID?
    /// The certificates to trust, in a file; `nil` for the system's.
    let certificates: String?
    /// The word for the rule that says who a local user is.
    let people: String
    /// The rules by the names of the services, also of ``PAMServiceRule/loginShells``; others are not asked for here.
    let services: [String: PAMServiceRule]

    /// Reads the file at `path`.
    ///
    /// - Throws: a ``CommandError`` that says which member to change.
    static func read(at path: String) throws(CommandError) -> PAMConfigurationFile {
        try find(at: path).get()
    }

    /// Looks for the file at `path`; a failure is that of its author: there is none, or it was read whole and has mistakes.
    ///
    /// - Throws: a ``CommandError`` where it cannot be read or trusted, which limits of the caller may cause, too.
    static func find(at path: String) throws(CommandError) -> Result<PAMConfigurationFile, CommandError> {
        let bytes: Data
        do throws(CommandError) {
            bytes = try OperatorFile.bytes(at: path)
        } catch {
            guard access(path, F_OK) != 0, errno == ENOENT else { throw error }
            return .failure(error)
        }
        do throws(CommandError) {
            return .success(try decoded(try SuppliedText.text(bytes, of: "The file \(path)"), of: path))
        } catch {
            return .failure(error)
        }
    }

    private static func decoded(_ text: String, of path: String) throws(CommandError) -> PAMConfigurationFile {
        try SuppliedText.requireDistinctMembers(in: Data(text.utf8), of: "The configuration \(path)")
        do {
            return try JSONDecoder().decode(PAMConfigurationFile.self, from: Data(text.utf8))
        } catch let error as CommandError {
            throw CommandError("The configuration \(path) cannot be used. \(error.description)")
        } catch let error as SignInError {
            throw CommandError("The configuration \(path) cannot be used. \(error.sentence)")
        } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context) {
            throw CommandError("In the configuration \(path), \(place(context)) is of another kind.")
        } catch let DecodingError.keyNotFound(key, _) {
            throw CommandError("The configuration \(path) has no \(key.stringValue).")
        } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
            throw CommandError("In the configuration \(path), \(place(context)) is no word that it takes.")
        } catch {
            throw CommandError("The configuration \(path) is no JSON object.")
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }
}

extension PAMConfigurationFile: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case issuer, client, people, services
        case secretFile = "secret-file"
        case publicClient = "public-client"
        case certificates = "ca-file"
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(except: CodingKeys.allCases.map(\.rawValue))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let address = try members.decode(String.self, forKey: .issuer)
        do {
            issuer = try Issuer(address, allowingInsecureHTTP: false)
        } catch {
            throw CommandError("issuer is not the https:// address of a server.")
        }
        client = ClientID(try members.decode(String.self, forKey: .client))
        secretFile = try members.decodeIfPresent(String.self, forKey: .secretFile)
        publicClient = try members.decodeIfPresent(String.self, forKey: .publicClient).map { ClientID($0) }
        guard publicClient == nil || (secretFile != nil && publicClient != client) else {
            throw CommandError("public-client takes another client than client, beside a secret-file.")
        }
        certificates = try members.decodeIfPresent(String.self, forKey: .certificates)
        people = try members.decodeIfPresent(String.self, forKey: .people) ?? "preferred_username"
        let rules = try members.nestedContainer(keyedBy: AnyKey.self, forKey: .services)
        var services = try rules.allKeys.reduce(into: [String: PAMServiceRule]()) { services, name in
            let rule = try rules.superDecoder(forKey: name)
            try rule.refuseKeys(except: PAMServiceRule.Key.allCases.map(\.rawValue))
            services[name.stringValue] = try PAMServiceRule(
                rule.container(keyedBy: PAMServiceRule.Key.self), for: name.stringValue)
        }
        for (shell, program) in PAMServiceRule.loginShells where services[shell] == nil {
            services[shell] = services[program]
        }
        self.services = services
    }

    /// A key of any name.
    fileprivate struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension Decoder {
    /// Refuses members with other names, which are most likely mistyped.
    ///
    /// - Throws: a ``CommandError`` with a suggestion for each.
    fileprivate func refuseKeys(except known: [String]) throws {
        let names = try container(keyedBy: PAMConfigurationFile.AnyKey.self).allKeys.map(\.stringValue)
        let unknown = names.filter { !known.contains($0) }.sorted()
        guard unknown.isEmpty else {
            let list = Suggestion(from: known).list(unknown.map(\.shown))
            throw CommandError("It has unknown members: \(list). Known are: \(known.sorted().joined(separator: ", ")).")
        }
    }
}
