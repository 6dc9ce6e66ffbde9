import Countersign
@testable import CountersignNearby
import Foundation
import NIOConcurrencyHelpers
import Testing

/// The conversation of `Documentation/NearbyProtocol.md`: every byte of it, from fixed chance.
///
/// With `COUNTERSIGN_WRITE_VECTORS=1` in the environment the test writes that part of the page instead of comparing it.
@Suite("The protocol as it is written down")
struct WrittenVectorTests {
    private static let begin = "<!-- the conversation: begin -->"
    private static let end = "<!-- the conversation: end -->"
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Documentation/NearbyProtocol.md")

    @Test func `has every byte that the two ends send`() throws {
        let written = try conversation()
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(page.range(of: Self.begin))
        let end = try #require(page.range(of: Self.end))
        if ProcessInfo.processInfo.environment["COUNTERSIGN_WRITE_VECTORS"] != nil {
            let new = page[..<begin.upperBound] + "\n\n" + written + "\n" + page[end.lowerBound...]
            try String(new).write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(page[begin.upperBound..<end.lowerBound] == "\n\n" + written + "\n")
        }
    }

    /// A source whose draws are filled with one byte each: the first with `first`, the next with the one after it.
    private func filled(from first: UInt8) -> RandomSource {
        let next = NIOLockedValueBox(first)
        return RandomSource { count in
            let byte = next.withLockedValue { next in
                defer { next &+= 1 }
                return next
            }
            return [UInt8](repeating: byte, count: count)
        }
    }

    private func conversation() throws -> String {
        let (tv, phone) = (filled(from: 0x01), filled(from: 0x81))
        var story = Story()
        let first = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: tv)
        story.add("Frame 1, from the requester", first.frame)
        guard case .greeted(let opened) = try ApproverHandshake(app: Fixture.app(), versions: .ours).read(first.frame)
        else { throw LinkPair.Unexpected(what: "a refusal") }
        let answered = try opened.answer(as: nil, drawingFrom: phone)
        story.add("Frame 2, from the approver", answered.frame)
        guard case .greeted(let greeted) = try first.read(answered.frame) else {
            throw LinkPair.Unexpected(what: "a refusal")
        }
        let (third, ours) = try greeted.finish()
        story.add("Frame 3, from the requester", third)
        let theirs = try answered.read(third)
        story.tell("The handshake hash h", ours.hash.bytes)

        var ends = Ends(requester: ours, approver: theirs, story: story)
        var requester = RequesterLink(
            on: ours,
            terms: RequesterLinkSettings(
                request: try Fixture.bytesRequest("a token"), name: try Fixture.name("Living room"),
                wantsPairing: true),
            drawingFrom: tv, at: Fixture.instant)
        var approver = ApproverLink(
            on: theirs,
            terms: ApproverLinkSettings(name: try Fixture.name("Anna's phone"), address: NearbyAddress("10.0.0.7")),
            drawingFrom: phone, at: Fixture.instant)
        let now = Fixture.instant
        try ends.requesterDoes(requester.begin(at: now), &approver, at: now)
        let shown = try ends.approverDoes(approver.reachHead(at: now) + approver.see(at: now), &requester, at: now)
        let code = try #require(shown.compactMap { if case .showCode(let code) = $0 { code } else { nil } }.first)
        ends.story.say("The requester shows \(code.shown), and the person types it.")
        let revealing = try ends.approverDoes(approver.type(code, at: now), &requester, at: now)
        let opening = try ends.requesterDoes(revealing, &approver, at: now)
        let requesting = try ends.approverDoes(opening, &requester, at: now)
        try ends.requesterDoes(requesting, &approver, at: now)
        ends.story.say("The person approves, and wants to pair with the screen.")
        let approval = NearbyDecision.approve(.bytes(Array("token-1".utf8)), pairs: true)
        try ends.approverDoes(approver.decide(approval, at: now), &requester, at: now)
        try ends.approverDoes(approver.wrote(at: now), &requester, at: now)
        let last = try ends.requesterDoes(requester.settled(pairing: true, at: now), &approver, at: now)
        #expect(last.last == .end(.approved(.code, paired: true)))
        return ends.story.text
    }
}

/// The text of a story, written down as it happens.
private struct Story {
    private(set) var text = ""

    mutating func say(_ words: String) {
        text += "\(words)\n\n"
    }

    /// A frame as it is sent: its length, and what it holds.
    mutating func add(_ title: String, message: [UInt8]? = nil, _ frame: [UInt8]) {
        text += "\(title):\n\n"
        if let message { block(message) }
        block(FrameReader.frame(of: frame) ?? [])
    }

    mutating func tell(_ title: String, _ bytes: [UInt8]) {
        text += "\(title):\n\n"
        block(bytes)
    }

    private mutating func block(_ bytes: [UInt8]) {
        let hex = Hex.text(bytes)
        text += "    "
        for (place, digit) in hex.enumerated() {
            if place > 0, place.isMultiple(of: 96) { text += "\n    " }
            text.append(digit)
        }
        text += "\n\n"
    }
}

/// Both ends; each hears what the other seals.
private struct Ends {
    var requester: EstablishedLink
    var approver: EstablishedLink
    var story: Story

    @discardableResult
    mutating func requesterDoes(
        _ effects: [RequesterEffect],
        _ other: inout ApproverLink,
        at now: ContinuousClock.Instant
    ) throws -> [ApproverEffect] {
        var followed: [ApproverEffect] = []
        for case .send(let message) in effects {
            let frame = try requester.session.seal(message.bytes)
            story.add("`\(name(of: message))`, from the requester, and its frame", message: message.bytes, frame)
            let heard = try #require(LinkMessage(parsing: try approver.session.open(frame)))
            followed += other.receive(heard, at: now)
        }
        return followed
    }

    @discardableResult
    mutating func approverDoes(
        _ effects: [ApproverEffect],
        _ other: inout RequesterLink,
        at now: ContinuousClock.Instant
    ) throws -> [RequesterEffect] {
        var followed: [RequesterEffect] = []
        for case .send(let message) in effects {
            let frame = try approver.session.seal(message.bytes)
            story.add("`\(name(of: message))`, from the approver, and its frame", message: message.bytes, frame)
            let heard = try #require(LinkMessage(parsing: try requester.session.open(frame)))
            followed += other.receive(heard, at: now)
        }
        return followed
    }

    private func name(of message: LinkMessage) -> String {
        switch message {
        case .ask: "ask"
        case .commit: "commit"
        case .ready: "ready"
        case .typed: "typed"
        case .reveal: "reveal"
        case .open: "open"
        case .request: "request"
        case .decision: "decision"
        case .part: "part"
        case .done: "done"
        default: "message"
        }
    }
}
