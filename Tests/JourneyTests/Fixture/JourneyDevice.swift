import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes

/// A device that speaks Cross-Platform Authentication, as plain as the standard has it: JSON goes out and comes back.
struct JourneyDevice: Sendable {
    let issuer: Issuer
    let client: ClientID
    let secret: ClientSecret

    /// The answer of the token endpoint.
    enum Answer: Sendable, Equatable {
        case token(CrossPlatformTokenResponse)
        case pending
        case refused(CrossPlatformError.Code)

        /// - Throws: ``NoToken``.
        var token: CrossPlatformTokenResponse {
            get throws {
                guard case .token(let token) = self else { throw NoToken(answer: "\(self)") }
                return token
            }
        }
    }

    struct NoToken: Error {
        let answer: String
    }

    /// A device that has just registered itself.
    static func registered(at issuer: Issuer, calling itself: String = "Kitchen Radio") async throws -> JourneyDevice {
        let request = ClientRegistrationRequest(
            clientName: itself, softwareID: "org.example.radio", softwareVersion: "1.0"
        )
        let answer = try await LoopbackHTTP.post(json: request, to: issuer.appending("cpa/register"))
        let identity = try JSONDecoder().decode(ClientRegistrationResponse.self, from: Data(answer.body))
        return JourneyDevice(issuer: issuer, client: identity.client, secret: identity.secret)
    }

    /// Asks for a domain.
    ///
    /// - Throws: ``NoToken`` with the provider's own word when it is refused.
    func associate(with domain: Domain) async throws -> AssociationResponse {
        let request = AssociationRequest(client: client, secret: secret, domain: domain)
        let answer = try await LoopbackHTTP.post(json: request, to: issuer.appending("cpa/associate"))
        guard answer.response.status == .ok else {
            throw NoToken(answer: String(decoding: answer.body, as: UTF8.self))
        }
        return try JSONDecoder().decode(AssociationResponse.self, from: Data(answer.body))
    }

    /// Asks once whether somebody has decided.
    func poll(_ association: AssociationResponse, for domain: Domain) async throws -> Answer {
        try await token(.deviceCode(association.deviceCode), for: domain)
    }

    /// Asks for a token by the device's own identity: anonymous, or the person's again.
    func renew(for domain: Domain) async throws -> Answer {
        try await token(.clientCredentials, for: domain)
    }

    private func token(_ grant: CrossPlatformTokenRequest.Grant, for domain: Domain) async throws -> Answer {
        let request = CrossPlatformTokenRequest(client: client, secret: secret, domain: domain, grant: grant)
        let answer = try await LoopbackHTTP.post(json: request, to: issuer.appending("cpa/token"))
        let body = Data(answer.body)
        switch answer.response.status {
        case .ok: return .token(try JSONDecoder().decode(CrossPlatformTokenResponse.self, from: body))
        case .accepted: return .pending
        default: return .refused(try JSONDecoder().decode(CrossPlatformErrorResponse.self, from: body).error)
        }
    }
}

extension AssociationResponse {
    /// The code to type, where there is one.
    var code: UserCodeText? {
        guard case .code(let code, at: _, interval: _) = shape else { return nil }
        return code
    }

    /// The address for the person to open; `nil` where nobody is asked.
    var address: String? {
        switch shape {
        case .code(_, at: let address, interval: _), .confirmation(at: let address, interval: _): address
        case .automatic: nil
        }
    }

    /// The address that an app opens on its own device.
    func address(returningTo callback: String) -> String {
        let code = code.map { "user_code=\($0)&" } ?? ""
        return "\(address ?? "")?\(code)redirect_uri=\(callback)"
    }
}

/// The services of the journeys.
enum JourneyDomains {
    /// Asks before one more device's sign-on.
    static let music = Domain("music.example.com")
    /// Two of one group, which ask nobody.
    static let news = Domain("news.example.com")
    static let sport = Domain("sport.example.com:8443")

    static func registered(returningTo callbacks: [String], at now: Date) -> [ServiceDomain] {
        func domain(_ name: Domain, _ shown: String, _ signOn: ServiceDomain.SignOn, _ group: String?) -> ServiceDomain
        {
            ServiceDomain(
                name: name,
                displayName: shown,
                credential: SecretDigest(of: name.rawValue),
                signOn: signOn,
                group: group,
                redirectURIs: callbacks,
                created: now
            )
        }
        return [
            domain(music, "Music for Everybody", .ask, nil),
            domain(news, "The News", .automatic, "public"),
            domain(sport, "The Sport", .automatic, "public"),
        ]
    }
}

extension BrowserStory {
    /// Adds the services; their apps may send browsers back to the addresses.
    func addDomains(returningTo callbacks: [String] = []) async throws {
        let domains = JourneyDomains.registered(returningTo: callbacks, at: server.clock.date)
        try await server.change { repositories in
            for domain in domains { try repositories.domains.insert(domain) }
        }
    }

    /// Signs a device in for a domain, by its code and as somebody who is signed in at the browser.
    func signIn(_ device: JourneyDevice, for domain: Domain) async throws -> CrossPlatformTokenResponse {
        let association = try await device.associate(with: domain)
        try await open("/cpa/verify")
        try await browser.enter(association.code ?? UserCodeText(""))
        try await browser.press("Approve")
        return try await device.poll(association, for: domain).token
    }
}

extension LoopbackHTTP {
    /// Posts a message as JSON.
    static func post(json message: some Encodable, to address: String) async throws -> HTTPAnswer {
        try await post(body: JSONEncoder().encode(message), of: "application/json", to: address)
    }
}
