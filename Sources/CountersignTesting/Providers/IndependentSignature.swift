internal import Crypto
internal import Foundation
internal import HTTPTypes

/// A second reading of OAuth 1 for the fake provider: it shares no code with the project's signing and verification, so
/// that it reveals mistakes there.
///
/// Standard: RFC 5849 §3.4, HMAC-SHA1 in the `Authorization` header only.
struct IndependentSignature {
    let header: [String: String]
    private let expected: (_ clientSecret: String, _ tokenSecret: String) -> String

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Reads a request; `nil` when it has no header of OAuth 1.
    init?(_ request: ProviderRequest, at base: String) {
        guard let value = request.fields[.authorization], value.hasPrefix("OAuth ") else { return nil }
        var header: [String: String] = [:]
        for part in value.dropFirst(6).components(separatedBy: ",") {
            let pair = part.trimmingCharacters(in: .whitespaces).components(separatedBy: "=\"")
            guard pair.count == 2, pair[1].hasSuffix("\"") else { return nil }
            header[pair[0].removingPercentEncoding ?? ""] = String(pair[1].dropLast()).removingPercentEncoding
        }
        self.header = header
        var pairs = header.filter { $0.key != "oauth_signature" && $0.key != "realm" }.map { ($0.key, $0.value) }
        let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        for text in [query, String(decoding: request.body, as: UTF8.self)] {
            for pair in text.components(separatedBy: "&") where !pair.isEmpty {
                let parts = pair.replacingOccurrences(of: "+", with: " ").components(separatedBy: "=")
                pairs.append(
                    (parts[0].removingPercentEncoding ?? "", parts.dropFirst().first?.removingPercentEncoding ?? ""))
            }
        }
        let sorted = pairs.map { (Self.encoded($0.0), Self.encoded($0.1)) }.sorted { $0 < $1 }
        let joined = sorted.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let address = base + request.path
        let text = [request.method.rawValue, address, joined].map(Self.encoded).joined(separator: "&")
        expected = { clientSecret, tokenSecret in
            let key = SymmetricKey(data: Data("\(Self.encoded(clientSecret))&\(Self.encoded(tokenSecret))".utf8))
            return Data(HMAC<Insecure.SHA1>.authenticationCode(for: Data(text.utf8), using: key)).base64EncodedString()
        }
    }

    /// Whether the request was signed by HMAC-SHA1 with these secrets.
    func isMade(by clientSecret: String, _ tokenSecret: String = "") -> Bool {
        header["oauth_signature_method"] == "HMAC-SHA1"
            && header["oauth_signature"] == expected(clientSecret, tokenSecret)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
