import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

/// Both ends of a link without a network: what one says, the test delivers to the other, changes or keeps.
struct LinkPair {
    var requester: RequesterLink
    var approver: ApproverLink
    var now = Fixture.instant
    let links: (requester: EstablishedLink, approver: EstablishedLink)
    /// Messages that were sent and have not arrived.
    var toApprover: [LinkMessage] = []
    var toRequester: [LinkMessage] = []
    /// All that was said.
    var requesterSaid: [LinkMessage] = []
    var approverSaid: [LinkMessage] = []
    /// All that was to be done.
    var requesterDid: [RequesterEffect] = []
    var approverDid: [ApproverEffect] = []

    init(
        seed: UInt64 = 1,
        isPaired: Bool = false,
        request: NearbyRequest? = nil,
        name: String = "Living room",
        pairs: Bool = false,
        known: [String] = [],
        at hosts: [String] = ["10.0.0.9"],
        codesLeft: Int = 3,
        space: CodeSpace = .standard
    ) throws {
        let random = SeededRandom(seed: seed).source
        links = try Self.handshake(
            drawingFrom: random, pairings: isPaired ? Fixture.pairings(drawingFrom: random) : nil)
        requester = RequesterLink(
            on: links.requester,
            terms: RequesterLinkSettings(
                request: try request ?? Fixture.bytesRequest(), name: try Fixture.name(name),
                wantsPairing: pairs,
                codesLeft: codesLeft, space: space),
            drawingFrom: random, at: now)
        approver = ApproverLink(
            on: links.approver,
            terms: ApproverLinkSettings(
                name: try Fixture.name("Anna's phone"), address: NearbyAddress("10.0.0.7"),
                known: try known.map { PairedName(try Fixture.name($0), at: hosts) }, space: space),
            drawingFrom: random, at: now)
    }

    /// A link that both ends have shaken hands on.
    static func handshake(
        drawingFrom random: RandomSource,
        pairings: (requester: Pairing, approver: Pairing)? = nil
    ) throws -> (requester: EstablishedLink, approver: EstablishedLink) {
        let first = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: pairings.map { [$0.requester] } ?? [],
            drawingFrom: random)
        guard case .greeted(let opened) = try ApproverHandshake(app: Fixture.app(), versions: .ours).read(first.frame)
        else { throw Unexpected(what: "a refusal") }
        let hints = PairingHints(for: pairings.map { [$0.approver] } ?? [])
        let answered = try opened.answer(as: opened.hinted(in: hints), drawingFrom: random)
        guard case .greeted(let greeted) = try first.read(answered.frame) else { throw Unexpected(what: "a refusal") }
        let (third, link) = try greeted.finish()
        return (link, try answered.read(third))
    }

    struct Unexpected: Error { let what: String }
}

extension LinkPair {
    mutating func atRequester(_ event: (inout RequesterLink, ContinuousClock.Instant) -> [RequesterEffect]) {
        let effects = event(&requester, now)
        requesterDid += effects
        for case .send(let message) in effects {
            requesterSaid.append(message)
            toApprover.append(message)
        }
    }

    mutating func atApprover(_ event: (inout ApproverLink, ContinuousClock.Instant) -> [ApproverEffect]) {
        let effects = event(&approver, now)
        approverDid += effects
        for case .send(let message) in effects {
            approverSaid.append(message)
            toRequester.append(message)
        }
    }

    /// Delivers all that was said, until nobody says anything; parts of a grant included.
    mutating func deliver() {
        while !toApprover.isEmpty || !toRequester.isEmpty {
            while !toApprover.isEmpty {
                let message = toApprover.removeFirst()
                atApprover { $0.receive(message, at: $1) }
            }
            while !toRequester.isEmpty {
                let message = toRequester.removeFirst()
                atRequester { $0.receive(message, at: $1) }
                atApprover { $0.wrote(at: $1) }
            }
            for case .settle(let keeping, _) in requesterDid.suffix(1) {
                atRequester { $0.settled(pairing: keeping, at: $1) }
            }
        }
    }

    /// Says something to the approver in the requester's place.
    mutating func tellApprover(_ messages: LinkMessage...) {
        for message in messages { atApprover { $0.receive(message, at: $1) } }
    }

    /// Says something to the requester in the approver's place.
    mutating func tellRequester(_ messages: LinkMessage...) {
        for message in messages { atRequester { $0.receive(message, at: $1) } }
    }

    /// To the head of the line.
    mutating func begin() {
        atRequester { $0.begin(at: $1) }
        deliver()
        atApprover { $0.reachHead(at: $1) }
        deliver()
    }

    /// Until the code is on the screen.
    mutating func showCode() {
        begin()
        see()
    }

    mutating func see() {
        atApprover { $0.see(at: $1) }
        deliver()
    }

    /// The person wants another code, and is asked again whether the screen is theirs.
    mutating func tryAgain() {
        atRequester { $0.tryAgain(at: $1) }
        deliver()
        atApprover { $0.reachHead(at: $1) }
        see()
    }

    mutating func type(_ code: LinkCode) {
        atApprover { $0.type(code, at: $1) }
        deliver()
    }

    mutating func typeWhatIsShown() throws {
        type(try #require(shownCode))
    }

    mutating func typeSomethingElse() throws {
        let digits = try #require(shownCode).revealed
        type(try #require(CodeSpace.standard.code(typed: digits == "000000" ? "000001" : "000000")))
    }

    mutating func decide(_ decision: NearbyDecision) {
        atApprover { $0.decide(decision, at: $1) }
        deliver()
    }

    mutating func pass(_ span: Duration) {
        now += span
        atRequester { $0.pass(at: $1) }
        atApprover { $0.pass(at: $1) }
    }

    /// The code on the screen.
    var shownCode: LinkCode? {
        requesterDid.reduce(nil) { shown, effect in
            switch effect {
            case .showCode(let code): code
            case .takeCodeAway: nil
            default: shown
            }
        }
    }

    var requesterOutcome: RequesterOutcome? {
        requesterDid.compactMap { if case .end(let outcome) = $0 { outcome } else { nil } }.first
    }

    var approverOutcome: ApproverOutcome? {
        approverDid.compactMap { if case .end(let outcome) = $0 { outcome } else { nil } }.first
    }

    var decisionsAskedFor: [ReceivedRequest] {
        approverDid.compactMap { if case .askForDecision(let request) = $0 { request } else { nil } }
    }

    var misses: (requester: Int, approver: Int) {
        (requesterDid.count { $0 == .countMiss }, approverDid.count { $0 == .countMiss })
    }
}
