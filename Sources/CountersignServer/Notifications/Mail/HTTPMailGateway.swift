public import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Sends mails through the interface of a service over HTTP.
///
/// No service counts openings or clicks: a counted link would lead a secret past another server.
public struct HTTPMailGateway: MailGateway {
    /// The form of a service's interface.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// Standard: Postmark's Email API (`POST /email`).
        case postmark
        /// Standard: Mailgun's Messages API, version 3 (`POST /v3/{domain}/messages`).
        case mailgun

        /// The default address of the API.
        public var standardBase: String {
            switch self {
            case .postmark: "https://api.postmarkapp.com"
            case .mailgun: "https://api.mailgun.net"
            }
        }
    }

    private let form: Form
    private let endpoint: Endpoint
    private let credential: GatewayCredential
    private let sender: Mailbox
    private let transport: any HTTPTransport

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - form: The form of the service's interface.
    ///   - base: The address of the API, without a path.
    ///   - domain: The sending domain, which Mailgun has in its path.
    ///   - credential: The token of a server at Postmark, or a sending key of Mailgun.
    ///   - sender: The mailbox that mails come from.
    ///   - transport: The network.
    /// - Throws: `Endpoint.ParsingError` for an address that cannot be called.
    public init(
        _ form: Form, at base: String, domain: String, credential: GatewayCredential, sender: Mailbox,
        over transport: any HTTPTransport
    ) throws {
        self.form = form
        self.sender = sender
        self.transport = transport
        switch form {
        case .postmark:
            endpoint = try Endpoint("\(base)/email")
            self.credential = credential
        case .mailgun:
            endpoint = try Endpoint("\(base)/v3/\(domain)/messages")
            self.credential = .basic("api", credential)
        }
    }

    /// Sends a mail.
    ///
    /// - Parameter mail: The mail, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt.
    public func send(_ mail: Mail) async -> DeliveryOutcome {
        let message = InternetMessage(mail: mail, sender: sender)
        var request = endpoint.request(.post)
        let body: [UInt8]
        switch form {
        case .postmark:
            guard let field = HTTPField.Name("X-Postmark-Server-Token"),
                let json = try? JSONEncoder.wire.encode(PostmarkRequest(message))
            else { return .rejected("a mail that cannot be written") }
            request.headerFields[.contentType] = "application/json"
            request.headerFields[.accept] = "application/json"
            request.headerFields[field] = credential.revealed
            body = Array(json)
        case .mailgun:
            request.headerFields[.contentType] = CountersignWire.Form.mediaType
            request.headerFields[.authorization] = credential.revealed
            body = Array(Self.mailgunForm(message).encoded.utf8)
        }
        do {
            let answer = try await transport.send(request, body: body, within: DeliveryTimes.longestCall)
            return outcome(of: answer)
        } catch {
            return .retry(error.code.rawValue)
        }
    }

    private struct PostmarkRequest: Encodable {
        struct Header: Encodable {
            let Name: String
            let Value: String
        }
        let From, To, Subject, TextBody, HtmlBody: String
        let Headers: [Header]
        let TrackOpens = false
        let TrackLinks = "None"

        init(_ message: InternetMessage) {
            let content = message.mail.content
            From = message.sender.text
            To = message.mail.to.text
            Subject = HeaderText.singleLine(content.subject)
            TextBody = content.text
            HtmlBody = content.html
            Headers =
                message.automaticFields.map { Header(Name: $0.name, Value: $0.value) } + [
                    Header(Name: "Message-ID", Value: "<\(message.id)>"),
                    // Without it Postmark makes another identifier.
                    Header(Name: "X-PM-KeepID", Value: "true"),
                ]
        }
    }

    private struct PostmarkAnswer: Decodable {
        let ErrorCode: Int?
    }

    private static func mailgunForm(_ message: InternetMessage) -> CountersignWire.Form {
        let content = message.mail.content
        var form: CountersignWire.Form = [
            "from": message.sender.text, "to": message.mail.to.text,
            "subject": HeaderText.singleLine(content.subject), "text": content.text, "html": content.html,
            "o:tracking": "no", "h:Message-Id": "<\(message.id)>",
        ]
        for field in message.automaticFields { form["h:\(field.name)"] = field.value }
        return form
    }

    /// The codes of Postmark for a mail that it never takes: an address that is none, or that refused mails before.
    private static let refusals: Set = [300, 406]

    /// The outcome of an answer. The operator can correct a wrong key, an unknown domain or an account without balance
    /// in time.
    private func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        let status = answer.response.status
        let code =
            form == .postmark
            ? (try? ForeignMessage.read(PostmarkAnswer.self, from: answer.body))?.ErrorCode : nil
        let reason = "status \(status.code)" + (code.map { ", code \($0)" } ?? "")
        switch (form, status.code) {
        case (.postmark, 200) where code == 0: return .accepted
        case (.postmark, 422) where code.map(Self.refusals.contains) == true: return .rejected(reason)
        case (.mailgun, 200..<300): return .accepted
        case (.mailgun, 400), (_, 413): return .rejected(reason)
        default: return .retry(reason, after: answer.secondsToWait)
        }
    }
}
