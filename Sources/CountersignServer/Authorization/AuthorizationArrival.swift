internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An authorization request as a browser brings it: its parameters, and the server's own mark in front of them when the
/// browser brought the request before.
struct AuthorizationArrival: Sendable {
    private static let parameter = LeadingParameter(name: "countersign_mark")

    /// The parameters, form-encoded, as the client sent them.
    let parameters: String
    private let mark: String?

    /// Splits the query of `/authorize`, or what a page of it carried.
    init(query: String) {
        (mark, parameters) = Self.parameter.split(query)
    }

    /// When the request was seen first, up to now.
    func seen(at now: Date, under keys: Keys) -> SeenRequest {
        let before = mark.flatMap { Mark(for: parameters, keys: keys).instant(in: $0, at: now) }
        let first = before ?? now
        return SeenRequest(
            first: first,
            isReturn: before != nil,
            marked: Self.parameter.adding(Mark(for: parameters, keys: keys).text(at: first), to: parameters)
        )
    }

    /// Shows that the server itself saw one request, and when.
    ///
    /// A request that demands a new sign-in would demand it for ever otherwise, and a signed request would expire while
    /// its person signs in.
    private struct Mark {
        let parameters: String
        let keys: Keys

        /// For how long it is accepted, in seconds.
        private static let lifetime: TimeInterval = 600

        init(for parameters: String, keys: Keys) {
            self.parameters = parameters
            self.keys = keys
        }

        func text(at now: Date) -> String {
            let instant = "\(now.numericDate)"
            return "\(instant).\(code(instant))"
        }

        /// When the request was seen; `nil` unless the mark is one for these parameters, and in time.
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

/// When the server saw an authorization request first.
struct SeenRequest: Sendable {
    /// The instant, in whole seconds if it is in the past.
    let first: Date
    /// Whether the browser comes back with the request, after its person was sent to sign in or was asked.
    let isReturn: Bool
    /// The parameters with the mark of that instant, to be brought again.
    let marked: String
}
