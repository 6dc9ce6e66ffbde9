import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HummingbirdTesting
import Testing

@testable import CountersignServer

extension TestServer {
    /// Makes a link as the operator's command does.
    func link(
        to act: ActionLink.Act = .passwordReset, for subject: Subject = TestPerson.anna.subject,
        lasting lifetime: TimeInterval = 3600
    ) async throws -> ActionLinkSecret {
        let secret: ActionLinkSecret = server.services.mint.secret()
        let now = clock.date
        let link = ActionLink(digest: secret.digest, to: act, for: subject, created: now, expires: now + lifetime)
        try await change { try ActionLinks($0).add(link, by: .operator) }
        return secret
    }

    /// Makes an invitation.
    func invitation(of address: String? = nil) async throws -> ActionLinkSecret {
        try await link(
            to: .invitation(address.map(EmailAddress.init(rawValue:))), for: server.services.mint.identifier())
    }
}

extension TestBrowser {
    /// A form with a link and a new password.
    func useLink(
        _ secret: ActionLinkSecret, at path: String = "link/password", _ fields: [String: String?] = [:],
        password: String = "seven slow snails"
    ) async throws -> TestResponse {
        try await post(path, .newPassword(password).replacing(["link": secret.revealed]).replacing(fields))
    }
}
