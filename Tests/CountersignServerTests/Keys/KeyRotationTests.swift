import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The rotation of keys")
struct KeyRotationTests {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let day: Double = 86_400

    @Test(arguments: [(0.0, false), (89.0, false), (90.0, true), (200.0, true)])
    func `makes a successor when a key has signed for 90 days`(days: Double, isDue: Bool) {
        let key = made("old", activates: noon)
        let step = KeyRotation.due(for: [key], at: noon + days * day)
        #expect(step.successorActivates == (isDue ? noon + days * day + 3600 : nil))
        #expect(step.retiring.isEmpty && step.removing.isEmpty)
    }

    @Test func `makes only one successor`() {
        let old = made("old", activates: noon)
        let next = made("next", activates: noon + 90 * day + 3600)
        #expect(KeyRotation.due(for: [old, next], at: noon + 90 * day + 60) == KeyRotation.Step())
    }

    @Test func `retires the old key when the new one begins to sign, not before`() {
        let old = made("old", activates: noon)
        let next = made("next", activates: noon + 3600)
        #expect(KeyRotation.due(for: [old, next], at: noon + 3599) == KeyRotation.Step())
        #expect(KeyRotation.due(for: [old, next], at: noon + 3600).retiring == [old])
        #expect(KeyRotation.due(for: [next, old], at: noon + 3600).retiring == [old])
    }

    @Test(arguments: [(86_399.0, true), (86_400.0, false)])
    func `publishes a retired key for a day`(after seconds: Double, isPublished: Bool) {
        var old = made("old", activates: noon - 90 * day)
        old.retired = noon
        let next = made("next", activates: noon)
        #expect(KeyRotation.isPublished(old, at: noon + seconds) == isPublished)
        #expect(KeyRotation.due(for: [old, next], at: noon + seconds).removing == (isPublished ? [] : [old]))
    }

    @Test func `never takes the only key away`() {
        #expect(KeyRotation.due(for: [], at: noon) == KeyRotation.Step())
        let key = made("only", activates: noon)
        let step = KeyRotation.due(for: [key], at: noon + 400 * day)
        #expect(step.retiring.isEmpty && step.removing.isEmpty)
    }

    @Test func `publishes long enough for every token that was signed`() {
        #expect(KeyRotation.overlap > Lifetimes.idToken)
        #expect(KeyRotation.overlap > Lifetimes.longestJWT)
        #expect(KeyRotation.lead > Double(KeyRotation.freshness))
    }

    private func made(_ id: String, activates: Date) -> ServerKey {
        ServerKey(
            id: JSONWebKey.ID(id),
            purpose: .signES256,
            secretBytes: [1, 2, 3],
            created: activates,
            activates: activates
        )
    }
}
