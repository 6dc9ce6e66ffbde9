internal import Countersign
internal import CountersignResource
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A sign-in that a browser began: it travels sealed in `state`, so that the gate keeps nothing of it, and any number of
/// tabs can sign in at once.
///
/// Standard: OpenID Connect Core 1.0 §3.1.2.1; RFC 7636; RFC 9700 §4.7.
struct GateSignIn: Sendable, Equatable {
    /// The time for a sign-in, in seconds.
    static let lifetime: TimeInterval = 3_600
    /// The longest address to return to, in bytes.
    private static let longestTarget = 1_024

    let target: String
    let authority: String
    let demand: SignInDemand
    private let seed: [UInt8]
    private let ends: Date

    /// The form in `state`.
    private struct Sealed: Codable {
        let target: String
        let authority: String
        let seed: String
        let ends: Double
        let classes: String?
        let maxAge: Int?

        private enum CodingKeys: String, CodingKey {
            case target = "t"
            case authority = "h"
            case seed = "s"
            case ends = "e"
            case classes = "a"
            case maxAge = "m"
        }
    }

    /// Begins a sign-in.
    init(
        for target: OriginalRequest.Target?, at site: GateSite, _ demand: SignInDemand, at now: Date,
        drawingFrom random: RandomSource
    ) {
        self.target = Self.target(target)
        authority = site.authority
        self.demand = demand
        seed = random.bytes(32)
        ends = now + Self.lifetime
    }

    /// The address to return to: the start of the site in place of a long one, which proxies do not take in a header.
    static func target(_ target: OriginalRequest.Target?) -> String {
        guard let text = target?.text, text.utf8.count <= longestTarget else { return "/" }
        return text
    }

    /// Opens the `state` of an answer; `nil` for one of another browser or site, and after its time.
    init?(opening state: String, of browser: String, at site: GateSite, by keys: GateKeys, at now: Date) {
        guard let bytes = keys.opened(state, for: browser),
            let sealed = try? JSONDecoder().decode(Sealed.self, from: Data(bytes)),
            let seed = URLSafeText.decode(sealed.seed), sealed.authority == site.authority,
            now.timeIntervalSince1970 < sealed.ends
        else { return nil }
        target = sealed.target
        authority = sealed.authority
        demand = SignInDemand(classes: sealed.classes, maxAge: sealed.maxAge)
        self.seed = seed
        ends = Date(timeIntervalSince1970: sealed.ends)
    }

    /// The address of the page that begins the same sign-in again.
    func page(at site: GateSite) -> String { demand.page(returningTo: target, at: site) }

    /// The `state` for the browser.
    func state(for browser: String, by keys: GateKeys) throws -> String {
        let sealed = Sealed(
            target: target, authority: authority, seed: URLSafeText.encode(seed), ends: ends.timeIntervalSince1970,
            classes: demand.classes, maxAge: demand.maxAge)
        return try keys.sealed(Array(try JSONEncoder().encode(sealed)), for: browser)
    }

    func verifier(by keys: GateKeys) -> CodeVerifier { CodeVerifier(revealing: keys.derived("verifier", from: seed)) }

    func nonce(by keys: GateKeys) -> String { keys.derived("nonce", from: seed) }
}

/// The demands of a rule on the sign-in that it leads to.
struct SignInDemand: Sendable, Equatable {
    /// The classes of `acr_values`, with spaces between.
    var classes: String?
    var maxAge: Int?

    init(classes: String?, maxAge: Int?) {
        self.classes = classes
        self.maxAge = maxAge
    }

    /// The demands of a rule.
    init(_ demand: AuthenticationDemand) {
        classes = demand.classes.isEmpty ? nil : demand.classes.joined(separator: " ")
        maxAge = demand.maxAge
    }

    /// Reads the parameters of the page that begins a sign-in; what cannot be read demands nothing.
    init(_ form: Form) {
        classes = form["acr_values"].flatMap { text in
            let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
            return isPlain && text.utf8.count <= 1_024 ? text : nil
        }
        maxAge = form["max_age"].flatMap { Int($0) }.flatMap {
            (0...GateConfiguration.Times.longest).contains($0) ? $0 : nil
        }
    }

    /// The address of the page that begins the sign-in, with the parameters that it reads.
    func page(returningTo target: String, at site: GateSite) -> String {
        var form: Form = ["to": target]
        form["acr_values"] = classes
        form["max_age"] = maxAge.map(String.init)
        return form.location(at: site.address(.signIn))
    }
}
