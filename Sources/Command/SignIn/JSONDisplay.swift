internal import Countersign
internal import CountersignNearby
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// Lines of JSON, one for each event.
struct JSONDisplay: SignInDisplay {
    let showsTokens: Bool

    /// One line; members that an event does not have are omitted.
    private struct Line: Encodable {
        let event: String
        var userCode: String?
        var verificationURI: String?
        var verificationURIComplete: String?
        var expires: Date?
        var retryAt: Date?
        var subject: String?
        var name: String?
        var username: String?
        var scope: String?
        var domain: String?
        var domainName: String?
        var type: String?
        var savedIn: String?
        var accessToken: String?
        var refreshToken: String?
        var error: String?
        var message: String?
        var providerError: String?
        var providerMessage: String?
        var state: String?
        var approvers: [String]?
        var count: Int?
        var number: String?
        var reason: String?
        var code: String?
        var address: String?

        init(_ event: String) {
            self.event = event
        }

        enum CodingKeys: String, CodingKey {
            case event, expires, subject, name, username, scope, domain, type, error, message
            case state, approvers, count, reason, code, address, number
            case domainName = "domain_name"
            case providerError = "provider_error"
            case providerMessage = "provider_message"
            case userCode = "user_code"
            case verificationURI = "verification_uri"
            case verificationURIComplete = "verification_uri_complete"
            case retryAt = "retry_at"
            case savedIn = "saved_in"
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
        }
    }

    func show(_ event: SignInEvent) {
        switch event {
        case .discovering:
            write(Line("discovering"))
        case .invitation(let invitation):
            var line = Line("invitation")
            line.userCode = invitation.userCode?.rawValue
            line.verificationURI = invitation.verificationURI.absoluteString
            line.verificationURIComplete = invitation.verificationURIComplete?.absoluteString
            line.expires = invitation.deadline
            write(line)
        case .waiting(until: let deadline):
            var line = Line("waiting")
            line.expires = deadline
            write(line)
        case .temporaryFailure(let temporaryFailure, retryingAt: let next):
            var line = Line("temporary_failure")
            line.error = temporaryFailure.code.rawValue
            line.retryAt = next
            write(line)
        case .link(let link):
            var line = Line("link")
            line.verificationURIComplete = link.absoluteString
            write(line)
        case .verificationNumber(let number):
            var line = Line("verification_number")
            line.number = number?.rawValue
            write(line)
        case .confirming(let identity):
            write(Self.line("confirming", identity))
        case .signedIn, .failed:
            // These are printed with all their members when the run ends.
            break
        }
    }

    func tell(_ notice: NearbyNotice) {
        var line = Line("nearby")
        line.state = notice.state
        line.approvers = notice.approvers
        line.count = notice.count
        line.reason = notice.reason
        if case .code(let code, _) = notice { line.code = code.revealed }
        write(line)
    }

    func opened(_ address: URL) {
        var line = Line("browser")
        line.address = address.absoluteString
        write(line)
    }

    func pause() {}

    func finish(_ outcome: Result<CompletedSignIn, SignInError>, savedIn directory: String) {
        switch outcome {
        case .success(let signedIn):
            var line = signedIn.identity.map { Self.line("signed_in", $0) } ?? Line("signed_in")
            line.scope = signedIn.scope.description
            line.expires = signedIn.expires
            line.savedIn = directory
            if showsTokens {
                line.accessToken = signedIn.accessToken.revealed
                line.refreshToken = signedIn.refreshToken?.revealed
            }
            write(line)
        case .failure(let error):
            write(Self.failed(error))
        }
    }

    func finish(_ outcome: Result<CrossPlatformToken, SignInError>, savedIn directory: String) {
        switch outcome {
        case .success(let token):
            var line = Line("signed_in")
            line.domain = token.domain.rawValue
            line.domainName = token.domainDisplayName
            line.type = token.type.rawValue
            line.name = token.userName
            line.expires = token.expires
            line.savedIn = directory
            if showsTokens { line.accessToken = token.accessToken.revealed }
            write(line)
        case .failure(let error):
            write(Self.failed(error))
        }
    }

    private static func failed(_ error: SignInError) -> Line {
        var line = Line("failed")
        line.error = error.code.rawValue
        line.message = error.sentence
        line.providerError = error.providerCode
        line.providerMessage = error.providerDescription
        return line
    }

    private static func line(_ event: String, _ identity: VerifiedIdentity) -> Line {
        var line = Line(event)
        line.subject = identity.subject.rawValue
        line.name = identity.name
        line.username = identity.username
        return line
    }

    private func write(_ line: Line) {
        try? Terminal.sayJSON(line, inOneLine: true)
    }
}

extension TemporaryFailure {
    /// The name in lines of JSON: that of the error when it does not pass.
    fileprivate var code: SignInError.Code {
        switch self {
        case .notReachable: .notReachable
        case .notTrusted: .notTrusted
        case .interrupted: SignInError.Code("interrupted")
        case .busy: SignInError.Code("busy")
        case .serverFault: .serverFailure
        }
    }
}
