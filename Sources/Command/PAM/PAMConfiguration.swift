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
        let text = try OperatorFile.text(at: path)
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: Data(text.utf8))
        } catch let error as CommandError {
            throw CommandError("The configuration \(path) cannot be used. \(error.description)")
        } catch let error as SignInError {
            throw CommandError("The configuration \(path) cannot be used. \(error.sentence)")
        } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context) {
            throw CommandError("In the configuration \(path), \(Self.place(context)) is of another kind.")
        } catch let DecodingError.keyNotFound(key, _) {
            throw CommandError("The configuration \(path) has no \(key.stringValue).")
        } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
            throw CommandError("In the configuration \(path), \(Self.place(context)) is no word that it takes.")
        } catch {
            throw CommandError("The configuration \(path) is no JSON object.")
        }
        do {
            issuer = try Issuer(file.issuer, allowingInsecureHTTP: false)
        } catch {
            throw CommandError("In the configuration \(path), issuer is not the https:// address of a server.")
        }
        let secret = try file.secretFile.map { path throws(CommandError) in
            ClientSecret(revealing: try PrivateKeyFile.text(at: path).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        client = ClientIdentity(ClientID(file.client), secret: secret)
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

    private static func place(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }
}

extension PAMConfiguration {
    /// The members of the file.
    private struct File: Decodable {
        let issuer: String
        let client: String
        let secretFile: String?
        let certificates: String?
        let people: String
        let services: [String: PAMServiceRule]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case issuer, client, people, services
            case secretFile = "secret-file"
            case certificates = "ca-file"
        }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(except: CodingKeys.allCases.map(\.rawValue))
            let members = try decoder.container(keyedBy: CodingKeys.self)
            issuer = try members.decode(String.self, forKey: .issuer)
            client = try members.decode(String.self, forKey: .client)
            secretFile = try members.decodeIfPresent(String.self, forKey: .secretFile)
            certificates = try members.decodeIfPresent(String.self, forKey: .certificates)
            people = try members.decodeIfPresent(String.self, forKey: .people) ?? "preferred_username"
            let rules = try members.nestedContainer(keyedBy: AnyKey.self, forKey: .services)
            services = try rules.allKeys.reduce(into: [:]) { services, name in
                let rule = try rules.superDecoder(forKey: name)
                try rule.refuseKeys(except: PAMServiceRule.Key.allCases.map(\.rawValue))
                services[name.stringValue] = try PAMServiceRule(
                    rule.container(keyedBy: PAMServiceRule.Key.self), for: name.stringValue)
            }
        }
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
        let names = try container(keyedBy: PAMConfiguration.AnyKey.self).allKeys.map(\.stringValue)
        let unknown = names.filter { !known.contains($0) }.sorted()
        guard unknown.isEmpty else {
            let list = Suggestion(from: known).list(unknown.map(\.shown))
            throw CommandError("It has unknown members: \(list). Known are: \(known.sorted().joined(separator: ", ")).")
        }
    }
}
