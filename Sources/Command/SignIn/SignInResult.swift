internal import Countersign
internal import CountersignRequester
internal import Foundation

/// The result of a sign-in: tokens, and the person whom they belong to.
protocol SignInResult: Sendable {
    /// The sentence for the person.
    var sentence: String { get }
    /// The part of the requested scope that was not granted, in a sentence; `nil` when all was.
    var sentenceOnScope: String? { get }
    /// The members in JSON, without the tokens.
    var members: OutputMembers { get }
    /// The tokens in the clear, by their names in JSON.
    var tokens: OutputMembers { get }
    /// The tokens in the clear, in lines for a person.
    var tokenLines: [String] { get }
    var expires: Date? { get }
}

/// A sign-in of this terminal. Of a scope that nobody asked for, it does not tell what was not granted.
struct TerminalSignIn: SignInResult {
    let signedIn: CompletedSignIn
    let comparesScope: Bool

    var sentence: String { signedIn.sentence }
    var sentenceOnScope: String? { comparesScope ? signedIn.sentenceOnScope : nil }
    var members: OutputMembers { signedIn.members(withNotGranted: comparesScope) }
    var tokens: OutputMembers { signedIn.tokens }
    var tokenLines: [String] { signedIn.tokenLines }
    var expires: Date? { signedIn.expires }
}

extension CompletedSignIn: SignInResult {
    var sentence: String {
        let person = identity.map { " as \($0.fullName)" } ?? ""
        let end = ends.map { ", until \($0.formatted(.iso8601))" } ?? ""
        return "Signed in\(person)\(end). The tokens are in"
    }

    var members: OutputMembers { members(withNotGranted: true) }

    fileprivate func members(withNotGranted tells: Bool) -> OutputMembers {
        let members = (identity?.members ?? [:]).adding("scope", scope.description).adding("ends", ends)
            .adding("not_granted", notGranted.isEmpty || !tells ? nil : notGranted.description)
        return rememberedPerson == nil ? members : members.adding("remembered", true)
    }

    var tokens: OutputMembers { ["access_token": accessToken.revealed, "refresh_token": refreshToken?.revealed] }
    var tokenLines: [String] {
        ["Access token: \(accessToken.revealed)"] + (refreshToken.map { ["Refresh token: \($0.revealed)"] } ?? [])
    }
}

extension CrossPlatformToken: SignInResult {
    var sentence: String {
        let service = domainDisplayName.map { "\($0) (\(domain))" } ?? domain.rawValue
        let done =
            switch type {
            case .user where userName?.isEmpty == false: "Signed in to \(service) as \(userName ?? "")."
            case .user: "Signed in to \(service)."
            case .client: "This device may use \(service), without anybody being signed in."
            }
        return "\(done) The token is in"
    }

    /// A token for a service has no scope.
    var sentenceOnScope: String? { nil }

    var members: OutputMembers {
        ["domain": domain.rawValue, "domain_name": domainDisplayName, "type": type.rawValue, "name": userName]
    }

    var tokens: OutputMembers { ["access_token": accessToken.revealed] }
    var tokenLines: [String] { ["Access token: \(accessToken.revealed)"] }
}

extension VerifiedIdentity {
    var members: OutputMembers { ["subject": subject.rawValue, "name": name, "username": username] }

    /// The name, with the user name if that adds to it.
    var fullName: String {
        guard let username, username != displayName else { return displayName }
        return "\(displayName) (\(username))"
    }
}
