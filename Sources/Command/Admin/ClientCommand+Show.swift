internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension Client {
    var details: KeyValuePairs<String, String> {
        [
            "id": id.rawValue, "name": name, "kind": kindName, "credential": credential,
            "registered": "\(created.formatted(.iso8601)) by \(isSelfRegistered ? "itself" : registrar)",
            "grants": Self.list(grantTypes.map(\.rawValue)), "scope": scope.isEmpty ? "none" : scope.description,
            "tokens": tokenFormat.rawValue, "ID tokens": idTokenSignedResponseAlg.rawValue,
            "audience": audience ?? "the issuer", "introspects": Self.list(serves), "DPoP": dpop.rawValue,
            "redirects": Self.list(redirects.redirectURIs),
            "after sign-out": Self.list(redirects.postLogoutRedirectURIs), "told of sign-outs": logout,
            "web origins": Self.list(redirects.webOrigins.map(\.rawValue)), "consent": redirects.consent.rawValue,
            "pushed requests": Self.demand(redirects.requiresPushedRequests),
            "signed requests": Self.demand(redirects.requiresSignedRequests), "PKCE": redirects.pkce.rawValue,
            "profile": redirects.profile?.rawValue ?? "none", "back channel": backchannelWords,
            "link approval": linkApproval.rawValue,
            "least evidence": minimumEvidence == .none ? "that of the scope" : minimumEvidence.description,
            "codes live": Self.seconds(lifetimes.code), "access tokens live": Self.seconds(lifetimes.accessToken),
            "refresh tokens live": Self.seconds(lifetimes.refreshToken),
        ]
    }

    /// The means by which it authenticates, without its secret.
    private var credential: String {
        switch kind {
        case .public: "none"
        case .confidential:
            oldSecretEnds.map { "a secret; the one before until \($0.formatted(.iso8601))" } ?? "a secret"
        case .keys(let keys): Self.keys(keys)
        case .certificate(let credential, signing: let keys):
            "\(credential.words)\(keys.map { ", and \(Self.keys($0))" } ?? "")"
        }
    }

    private var registrar: String { if case .device = registration { "a device" } else { "an operator" } }

    private var logout: String {
        guard let logout = redirects.backChannelLogout else { return "no" }
        return logout.requiresSession ? "\(logout.uri), with the session" : logout.uri
    }

    private var backchannelWords: String {
        guard grantTypes.contains(.backchannelAuthentication) else { return "none" }
        return [
            backchannel.deliveryMode.rawValue, backchannel.notificationEndpoint,
            backchannel.signingAlgorithm.map { "signed by \($0)" },
            backchannel.revealsUnknownPeople ? "unknown people revealed" : nil,
            backchannel.showsNumber ? "with a number" : nil, backchannel.sendsUserCodes ? "with user codes" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }

    private static func keys(_ keys: JSONWebKeySet) -> String {
        let count = keys.keys.count
        return "\(count) key\(count == 1 ? "" : "s")"
    }

    private static func demand(_ isRequired: Bool) -> String { isRequired ? "required" : "optional" }
    private static func seconds(_ span: TimeInterval) -> String { "\(Int(span)) s" }
    private static func list(_ items: [String]) -> String { items.isEmpty ? "none" : items.joined(separator: " ") }
}

extension CertificateCredential {
    fileprivate var words: String {
        switch self {
        case .registered(let known): "\(known.count) certificate\(known.count == 1 ? "" : "s")"
        case .issued(let name): "a certificate for \(name.kind) \(name.text)"
        }
    }
}
