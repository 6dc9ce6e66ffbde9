package import FoundationEssentialsCompat

/// Everything that the server has about one person, without secrets, hashes and codes.
///
/// Regulation (EU) 2016/679, Articles 15 and 20.
package struct PersonExport: Sendable, Encodable {
    let exported: Date
    let profile: ExportedProfile
    /// The attributes that the operator defined, by name.
    let attributes: [String: String]
    let groups: [String]
    let phoneNumbers: [ExportedPhoneNumber]
    let devices: [ExportedDevice]
    let browserSessions: [ExportedSession]
    let signIns: [ExportedSignIn]
    let consents: [ExportedConsent]
    let passkeys: [ExportedPasskey]
    let oneTimePasswords: ExportedOneTimePasswords?
    let identities: [ExportedIdentity]
    let rememberedScreens: [ExportedScreen]
    let mutes: [ExportedMute]
    let quietUntil: Date?
    let audit: [ExportedEntry]

    struct ExportedProfile: Sendable, Encodable {
        let subject, username, name: String
        let email: String?
        let emailVerified: Bool
        let locale, zoneinfo: String?
        let updatedAt: Date?
        let hasPassword: Bool
        let passwordChanged: Date?
        let hasBackchannelUserCode: Bool
        let standing: String
        /// The time of the removal that the person asked for.
        let removal: Date?
        let administrator: Bool
        let role: String
        let created: Date
    }

    struct ExportedPhoneNumber: Sendable, Encodable {
        let number: String
        let verified: Date
    }

    struct ExportedDevice: Sendable, Encodable {
        let id: String
        let name, manufacturer, model, platform, systemVersion, app, appVersion, language, phoneNumber: String?
        let getsPushMessages: Bool
        let added, lastSeen: Date
    }

    struct ExportedSession: Sendable, Encodable {
        let id: String
        let browser, address: String?
        let authenticated, lastUsed, expires: Date
        let authentication: String
        /// The origin of the push service that shows requests in the browser, and the time of the registration.
        let pushService: String?
        let pushSince: Date?
    }

    struct ExportedSignIn: Sendable, Encodable {
        let id, client: String
        let clientName, deviceName, domain, address: String?
        /// The purpose of a service, in its own words.
        let service: String?
        let scope: String
        let approved, signedIn, lastUsed, ends: Date
    }

    struct ExportedConsent: Sendable, Encodable {
        let client: String
        let clientName: String?
        let scope: String
        let given: Date
    }

    struct ExportedPasskey: Sendable, Encodable {
        let name: String
        let added: Date
        let lastUsed: Date?
        let synchronized: Bool
    }

    struct ExportedOneTimePasswords: Sendable, Encodable {
        let enrolled: Date
        let recoveryCodesLeft: Int
    }

    struct ExportedIdentity: Sendable, Encodable {
        let issuer, subject: String
        let label: String?
        let connected: Date
    }

    struct ExportedScreen: Sendable, Encodable {
        let client: String
        let clientName, deviceName: String?
        let since, lastUsed: Date
    }

    struct ExportedMute: Sendable, Encodable {
        let client: String
        let clientName: String?
        let cause: String
        let since: Date
    }

    /// An entry of the audit about the person.
    struct ExportedEntry: Sendable, Encodable {
        let number: Int
        let at: Date
        let act, by: String
        let client, request, address, detail: String?
    }

    /// The export as JSON, with the members in alphabetical order and instants as in RFC 3339.
    ///
    /// - Throws: An error of the encoder, which does not happen.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
