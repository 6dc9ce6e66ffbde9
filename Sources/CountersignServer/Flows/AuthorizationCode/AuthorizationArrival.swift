internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// An authorization request as a browser brings it: its parameters, after the server's own mark if the browser comes
/// back with it.
struct AuthorizationArrival: Sendable {
    private static let parameter = LeadingParameter(name: "countersign_mark")

    /// The parameters, form-encoded. Characters that an address cannot have are encoded, so that the sign-in page
    /// carries them along.
    let parameters: String
    private let mark: String?

    /// Splits the query of `/authorize`, or the parameters that its page carried.
    init(query: String) {
        let (mark, sent) = Self.parameter.split(query)
        self.mark = mark
        parameters = sent.utf8.allSatisfy(Self.isCarried) ? sent : Self.encoded(sent)
    }

    /// Whether the request is short enough to come back from the sign-in page.
    var isCarried: Bool { parameters.utf8.count <= PageRoutes.longestQuery }

    /// Whether an address may have the byte. It may have no backslash, since browsers take it for a slash.
    private static func isCarried(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != 0x5C }

    private static func encoded(_ query: String) -> String {
        var bytes: [UInt8] = []
        for byte in query.utf8 {
            bytes += isCarried(byte) ? [byte] : Form.escape(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The time when the request was seen first, up to now.
    func seen(at now: Date, under keys: Keys) -> FirstArrival {
        let before = mark.flatMap { Mark(parameters: parameters, keys: keys).instant(in: $0, at: now) }
        let first = before ?? now
        return FirstArrival(
            first: first,
            isReturn: before != nil,
            marked: Self.parameter.adding(Mark(parameters: parameters, keys: keys).text(at: first), to: parameters)
        )
    }

    /// The server's proof of the time when it saw a request first.
    ///
    /// Without it a request that demands a new sign-in would demand one again and again, and a signed request would
    /// expire while its person signs in.
    private struct Mark {
        let parameters: String
        let keys: Keys

        /// The lifetime of the mark, in seconds.
        private static let lifetime: TimeInterval = 600

        func text(at now: Date) -> String {
            let instant = "\(now.numericDate)"
            return "\(instant).\(code(instant))"
        }

        /// The time when the request was seen; `nil` for a mark of other parameters, or one that has expired.
        func instant(in text: String, at now: Date) -> Date? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let seconds = Int(parts[0]), parts[0].utf8.count < 12,
                Code(revealing: String(parts[1])) == Code(revealing: code(String(parts[0])))
            else { return nil }
            let instant = Date(named: seconds)
            return (0..<Self.lifetime).contains(now.timeIntervalSince(instant)) ? instant : nil
        }

        private func code(_ instant: String) -> String {
            keys.authenticationCode(for: "\(instant) \(parameters)", use: "authorization request seen")
        }

        /// Compared in constant time.
        private struct Code: Secret {
            let revealed: String
            init(revealing text: String) { revealed = text }
        }
    }
}

/// The time when the server saw an authorization request first.
struct FirstArrival: Sendable {
    /// The instant, in whole seconds if it is in the past.
    let first: Date
    /// Whether the browser comes back with the request, after its person signed in or was asked.
    let isReturn: Bool
    /// The parameters with the mark of that instant, to be brought again.
    let marked: String
}
