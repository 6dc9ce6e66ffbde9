import Countersign
import CountersignWire
import Testing

@Suite("An identifier of a token request")
struct TokenRequestIDTests {
    @Test func `is a parameter of its form, with 128 random bits`() {
        let token = RefreshToken(revealing: "refresh-1")
        let id = TokenRequestID(drawingFrom: .system)
        var form = TokenRequest.refresh(token, scope: .none).form
        form[TokenRequestID.parameter] = id.revealed
        #expect(form["request_id"]?.utf8.count == 22)
        #expect(id != TokenRequestID(drawingFrom: .system))
    }
}
