internal import HTTPTypes

/// A header field of a client that lets a site take the request for another one than the gate decides about.
enum MisleadingField: Sendable {
    /// Names a person, which the gate alone may do.
    case person
    /// Replaces the path, as some sites read it.
    case path
    /// Replaces the method, as some sites read it.
    case method

    private static let names: [String: MisleadingField] = {
        var names: [String: MisleadingField] = [
            "x-original-url": .path, "x-rewrite-url": .path,
            "x-http-method": .method, "x-http-method-override": .method, "x-method-override": .method,
        ]
        for header in PersonHeader.allCases { names[header.rawValue.lowercased()] = .person }
        return names
    }()

    /// Reads a name as servers do that take all marks in names alike: `Remote.User` and `Remote_User` are `Remote-User`.
    ///
    /// Standard: RFC 3875 §4.1.18.
    init?(_ name: HTTPField.Name) {
        let bytes = name.canonicalName.utf8
        guard let first = bytes.first, first == UInt8(ascii: "r") || first == UInt8(ascii: "x") else { return nil }
        let plain = bytes.map { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) ? byte : UInt8(ascii: "-")
        }
        guard let kind = Self.names[String(decoding: plain, as: UTF8.self)] else { return nil }
        self = kind
    }
}

extension HTTPFields {
    /// The kinds of misleading fields in a request.
    var misleading: Set<MisleadingField> { Set(lazy.compactMap { MisleadingField($0.name) }) }

    /// Whether the request has a proxy take fields about the person off again, on their way from the gate to the site.
    ///
    /// Standard: RFC 9110 §7.6.1.
    var removesPerson: Bool {
        self[values: .connection].contains { options in
            switch options {
            case "close", "keep-alive", "upgrade", "Upgrade": false
            default: options.hasWord("remote") || options.hasWord("countersign")
            }
        }
    }

    /// Whether the request opens another protocol than WebSocket: by HTTP/2, further requests would pass the proxy unseen.
    ///
    /// Standard: RFC 9110 §7.8; RFC 7540 §3.2.
    var opensUnknownProtocol: Bool { self[values: .upgrade].contains { $0.lowercased() != "websocket" } }
}

extension String {
    /// Whether letters of ASCII occur in the text, small or not.
    ///
    /// - Parameter word: The letters, all small.
    fileprivate func hasWord(_ word: String) -> Bool {
        let small = utf8.map { $0 | 0x20 }
        return small.indices.contains { small[$0...].starts(with: word.utf8) }
    }
}
