import Countersign
import Testing

@Suite("A person's code")
struct PersonCodeTests {
    @Test(arguments: ["12345678", "1234 5678", " 1234-5678\n", "１２３４５６７８", "١٢٣٤٥٦٧٨"])
    func `is read as people type it`(text: String) {
        #expect(PersonCode(parsing: text)?.revealed == "12345678")
    }

    @Test(arguments: [
        "", "1234567", "123456789", "1234567x", "WDJB-MJHT", String(repeating: " ", count: 128) + "12345678",
    ])
    func `is eight digits and nothing else`(text: String) {
        #expect(PersonCode(parsing: text) == nil)
    }

    @Test func `is shown in two groups, and to nobody by accident`() {
        let code = PersonCode(revealing: "01234567")
        #expect(code.grouped == "0123 4567")
        #expect(!"\(code)".contains("0123"))
    }
}
