import Countersign
import CountersignWire
import Testing

@testable import CountersignServer

@Suite("A sealed answer")
struct SealedAnswerTests {
    let token = AnsweredCredential(RefreshToken(revealing: "the token that it answers"), shownBy: .network(nil))
    let answer = Array(#"{"access_token":"secret"}"#.utf8)

    @Test func `opens with the token that it answers`() throws {
        #expect(try SealedAnswer(sealing: answer, under: token).opened(with: token) == answer)
    }

    @Test func `opens with no other token`() throws {
        let sealed = try SealedAnswer(sealing: answer, under: token)
        for other in ["", "the token that it answer", "the token that it answers "] {
            let credential = AnsweredCredential(RefreshToken(revealing: other), shownBy: .network(nil))
            #expect(sealed.opened(with: credential) == nil)
        }
    }

    @Test func `opens with the identifier of the request that it answers, and with no other`() throws {
        let token = RefreshToken(revealing: "the token that it answers")
        let id = TokenRequestID(drawingFrom: .system)
        let credential = AnsweredCredential(token, shownBy: .requestID(id))
        let sealed = try SealedAnswer(sealing: answer, under: credential)
        #expect(sealed.opened(with: credential) == answer)
        let others: [RequesterProof] = [
            .network(nil), .network("192.0.2.7"), .requestID(TokenRequestID(drawingFrom: .system)),
            .requestID(TokenRequestID(revealing: String(id.revealed.dropLast()))),
        ]
        for other in others { #expect(sealed.opened(with: AnsweredCredential(token, shownBy: other)) == nil) }
    }

    @Test func `opens not when a bit of it was changed`() throws {
        let sealed = try SealedAnswer(sealing: answer, under: token)
        for index in sealed.bytes.indices {
            var bytes = sealed.bytes
            bytes[index] ^= 1
            #expect(SealedAnswer(restoring: bytes).opened(with: token) == nil)
        }
        for count in 0..<sealed.bytes.count {
            #expect(SealedAnswer(restoring: Array(sealed.bytes.prefix(count))).opened(with: token) == nil)
        }
    }

    @Test func `looks different each time, and shows nothing of the answer`() throws {
        let one = try SealedAnswer(sealing: answer, under: token)
        let other = try SealedAnswer(sealing: answer, under: token)
        #expect(one != other)
        #expect(one.bytes.firstRange(of: answer.prefix(8)) == nil)
    }
}
