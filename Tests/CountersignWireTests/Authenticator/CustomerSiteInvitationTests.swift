import Countersign
import Testing

@testable import CountersignWire

@Suite("The QR code of a site")
struct CustomerSiteInvitationTests {
    private static let id = "2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d"

    @Test(arguments: [
        ("\(id),secret", "secret"),
        ("\(id.uppercased()),secret", "secret"),
        ("\(id),se,cr,et", "se,cr,et"),
        (" \(id),secret\n", "secret"),
        ("\(id), secret", " secret"),
    ])
    func `of the older kind has an identifier and all behind the comma`(text: String, secret: String) {
        let expected = CustomerSiteInvitation.shared(
            CustomerSiteID(Self.id), CustomerSiteSecret(revealing: secret))
        #expect(CustomerSiteInvitation(text) == expected)
    }

    @Test(arguments: [
        "", ",", "\(id)", "\(id),", ",secret", "\(id.dropLast()),secret", "\(id)0,secret", "secret,\(id)",
        "2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0g,secret", "2bd57d491-d1c-4dd9-8f95-a7f2b1ad0f0d,secret",
        "https://example.com", "https://example.com/authenticator/enroll#",
        "https://example.com/authenticator/enroll#short",
        "ftp://example.com/authenticator/enroll#0123456789abcdef",
        "https://example.com/authenticator/enroll#0123456789abcdef?x",
    ])
    func `is nothing else`(text: String) {
        #expect(CustomerSiteInvitation(text) == nil)
    }

    @Test func `is not read when it is too long`() {
        #expect(CustomerSiteInvitation("\(Self.id),\(String(repeating: "x", count: 2048))") == nil)
    }

    @Test(arguments: ["https://id.example.com", "https://id.example.com/tenant", "http://127.0.0.1:8080"])
    func `of our kind is a link with a ticket, and written as it is read`(issuer: String) throws {
        let ticket = EnrollmentTicket(revealing: "fQ3Zr8m1cX0b7Lw2Yk5T9A")
        let invitation = CustomerSiteInvitation.ticket(issuer: issuer, ticket)
        #expect(CustomerSiteInvitation(invitation.revealed) == invitation)
    }

    @Test func `shows no secret when it is printed`() {
        let text = String(reflecting: CustomerSiteInvitation("\(Self.id),very secret"))
        #expect(!text.contains("very secret"))
    }
}
