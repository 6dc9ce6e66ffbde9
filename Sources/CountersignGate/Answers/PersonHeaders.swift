internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// The header fields of an answer that a proxy copies to the site's request.
///
/// Every answer has all of them, empty where nothing is known, so that none of the client's own remains.
package enum PersonHeader: String, Sendable, CaseIterable {
    case user = "Remote-User"
    case groups = "Remote-Groups"
    case email = "Remote-Email"
    case name = "Remote-Name"
    case assertion = "X-Countersign-Assertion"

    /// The text as a header value. Bytes outside printable ASCII, `%`, and spaces at either end are percent-encoded.
    ///
    /// Standard: RFC 9110 §5.5; RFC 3986 §2.1.
    package static func value(of text: String) -> String {
        let bytes = Array(text.utf8)
        var value: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            let isAtEnd = place == 0 || place == bytes.count - 1
            if (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%") || byte == 0x20 && !isAtEnd {
                value.append(byte)
            } else {
                value += Form.escape(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}

/// A person as a site learns of them.
struct PassedPerson: Sendable, Equatable {
    var subject: Subject
    var user: String
    var name: String?
    var email: String?
    var groups: [GroupName]
    var authenticationClass: String?
    var authenticated: Int?
    /// The app that acts for the person; `nil` for a browser.
    var client: ClientID?
}

extension HTTPFields {
    /// Adds the fields about a person; empty ones for nobody.
    mutating func add(_ person: PassedPerson?, assertion: String?) {
        for header in PersonHeader.allCases {
            guard let name = HTTPField.Name(header.rawValue) else { continue }
            let value: String? =
                switch header {
                case .user: person?.user
                case .groups: person?.groups.map(\.rawValue).sorted().joined(separator: ",")
                case .email: person?.email
                case .name: person?.name
                case .assertion: assertion
                }
            self[name] = PersonHeader.value(of: value ?? "")
        }
    }
}
