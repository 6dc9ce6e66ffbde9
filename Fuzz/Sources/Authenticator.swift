import Countersign
import CountersignWire
import Foundation

extension Parser {
    /// Inputs that devices scan, type and send.
    static let authenticator: [Parser] = [
        Parser(
            "environment-invitation",
            text: { text in
                guard let invitation = CustomerSiteInvitation(text) else { return }
                expect(CustomerSiteInvitation(invitation.revealed) == invitation, "what is drawn is read again")
                if case .shared(let id, _) = invitation {
                    expect(CustomerSiteID(parsing: id.rawValue) == id, "an identifier has its form")
                }
            }),
        Parser(
            "environment-token",
            text: { text in
                guard let token = try? CustomerSiteToken(text) else { return }
                let (secret, now) = (CustomerSiteSecret(revealing: "secret"), Date(timeIntervalSince1970: 0))
                let isVerified = (try? token.verify(by: secret, meeting: .init(), at: now)) != nil
                expect(!isVerified, "nothing is verified without the secret")
            }),
        Parser(
            "status-token",
            text: { text in
                let (secret, now) = (CustomerSiteSecret(revealing: "secret"), Date(timeIntervalSince1970: 0))
                expect((try? StatusToken(text, by: secret, at: now)) == nil, "nothing is verified without the secret")
                let shared = WebhookSecret(revealing: secret.revealed)
                expect(
                    (try? NewDeviceToken(text, by: shared, at: now)) == nil, "nothing is verified without the secret")
            }),
        Parser(
            "phone-number",
            text: { text in
                for region in [nil, "NL", "US"] {
                    guard let number = try? PhoneNumber(text, dialledIn: region) else { continue }
                    expect(number.text.first == "+" && (4...16).contains(number.text.utf8.count), "a number is short")
                    expect((try? PhoneNumber(number.text)) == number, "a number is read again as it is written")
                    expect(number.text.hasPrefix("+\(number.callingCode)"), "a number begins with its calling code")
                }
            }),
        Parser(
            "pinned-certificates",
            text: { text in
                let key = JSONWebKey.p256(
                    id: JSONWebKey.ID("one"), x: Array(repeating: 1, count: 32), y: Array(repeating: 2, count: 32))
                let pins = try? PinnedCertificates(text, signedBy: key, at: Date(timeIntervalSince1970: 0))
                expect(pins == nil, "nothing is pinned without a signature")
            }),
        Parser(
            "authenticator-requests",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes) else { return }
                if let join = try? CustomerSiteJoinRequest(form: form) {
                    expect((try? CustomerSiteJoinRequest(form: join.form)) == join, "a ticket is read again")
                }
                if let quiet = try? AuthenticatorQuietRequest(form: form) {
                    expect((0...AuthenticatorQuietRequest.longest).contains(quiet.seconds), "a silence ends in a day")
                }
            }),
        message("device-details", DeviceDetails.self),
        message("device-registration", DeviceRegistration.self),
        message("push-subscription", WebPushSubscription.self),
        Parser(
            "encrypted-content",
            bytes: { bytes in
                guard let content = EncryptedContent(parsing: bytes) else { return }
                expect(content.bytes == bytes, "a content has one spelling")
            }),
        message("authentication-request", AuthenticationRequest.self),
        message("authentication-request-opening", AuthenticationRequestOpening.self),
        message("password-check", PasswordCheck.self),
        message("legacy-answer", LegacyAnswer.self),
        message("authenticator-inbox", AuthenticatorInbox.self),
        message("person-code", PersonCodeResponse.self),
    ]
}
