import Countersign
@testable import CountersignNearby
import Testing

@Suite("A Noise handshake")
struct NoiseVectorTests {
    @Test(arguments: NoiseVector.all)
    func `has every byte that other implementations publish`(vector: NoiseVector) throws {
        let messages = vector.messages.map { (payload: Hex.bytes($0.payload), sealed: Hex.bytes($0.ciphertext)) }
        let prologue = Hex.bytes(vector.prologue)
        let initiator = try NoiseInitiator(
            prologue: prologue, ephemeral: pair(vector.initiatorEphemeral), payload: messages[0].payload)
        #expect(initiator.message == messages[0].sealed)

        let responder = try NoiseResponder(prologue: prologue, message: initiator.message)
        #expect(responder.payload == messages[0].payload)
        let answered = try responder.answer(
            ephemeral: pair(vector.responderEphemeral), own: pair(vector.responderStatic), payload: messages[1].payload)
        #expect(answered.message == messages[1].sealed)

        let greeted = try initiator.read(answered.message)
        #expect(greeted.payload == messages[1].payload)
        let (mine, other) = (try pair(vector.initiatorStatic), try pair(vector.responderStatic))
        #expect(greeted.peer == other.publicKey)
        var (third, ours) = try greeted.finish(with: mine, payload: messages[2].payload)
        #expect(third == messages[2].sealed)

        var (payload, theirs) = try answered.finish(third)
        #expect(payload == messages[2].payload)
        #expect(theirs.peer == mine.publicKey)
        #expect(ours.hash == theirs.hash)
        if let hash = vector.handshakeHash { #expect(Hex.text(ours.hash.bytes) == hash) }

        // The vectors go on in turns: the responder writes the next one.
        for (place, message) in messages.enumerated().dropFirst(3) {
            if place.isMultiple(of: 2) {
                #expect(try ours.seal(message.payload) == message.sealed)
                #expect(try theirs.open(message.sealed) == message.payload)
            } else {
                #expect(try theirs.seal(message.payload) == message.sealed)
                #expect(try ours.open(message.sealed) == message.payload)
            }
        }
    }

    private func pair(_ secret: String) throws -> LinkKeyPair {
        try #require(LinkKeyPair(secret: Hex.bytes(secret)))
    }
}
