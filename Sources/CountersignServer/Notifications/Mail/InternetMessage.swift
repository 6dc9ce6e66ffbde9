internal import FoundationEssentialsCompat

/// A mail as an Internet message: its head, and its words as plain text and as HTML.
///
/// Every attempt makes the same bytes.
/// Standard: RFC 5322; RFC 2045, RFC 2046 §5.1.4 (`multipart/alternative`); RFC 3834 §5 (`Auto-Submitted`); RFC 3282
/// (`Content-Language`).
struct InternetMessage: Sendable, Equatable {
    let mail: Mail
    let sender: Mailbox

    /// The identifier, without angle brackets.
    ///
    /// Standard: RFC 5322 §3.6.4.
    var id: String { "\(mail.id.reference)@\(sender.address.host)" }

    /// The fields that say that a program made the mail, and its language.
    var automaticFields: [(name: String, value: String)] {
        [("Auto-Submitted", "auto-generated"), ("Content-Language", mail.content.language)]
    }

    /// The message with `\n` at the ends of the lines, as programs of the system take it.
    var text: String {
        // Quoted-printable text never has `=_`.
        let boundary = "=_\(mail.id.reference)"
        let head = [
            "Date: \(HTTPDate.text(of: mail.made).replacing("GMT", with: "+0000"))",
            HeaderText.field("From", sender),
            HeaderText.field("To", mail.to),
            HeaderText.field("Subject", mail.content.subject),
            "Message-ID: <\(id)>",
        ]
        return
            (head + automaticFields.map { "\($0.name): \($0.value)" } + [
                "MIME-Version: 1.0",
                "Content-Type: multipart/alternative;\n boundary=\"\(boundary)\"",
                "",
                "--\(boundary)",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
                "",
                QuotedPrintable.encode(mail.content.text),
                "--\(boundary)",
                "Content-Type: text/html; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
                "",
                QuotedPrintable.encode(mail.content.html),
                "--\(boundary)--",
                "",
            ]).joined(separator: "\n")
    }
}

extension EmailAddress {
    /// The host, behind the `@`.
    fileprivate var host: String { rawValue.split(separator: "@").last.map(String.init) ?? "localhost" }
}

extension Delivery.ID {
    /// The identifier for other programs: 32 letters and digits.
    var reference: String { HexadecimalText.encode(SecretDigest(of: rawValue).bytes.prefix(16)) }
}
