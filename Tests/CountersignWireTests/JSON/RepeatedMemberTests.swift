import CountersignWire
import Testing

@Suite("A member that is there twice")
struct RepeatedMemberTests {
    @Test(arguments: [
        (#"{"a": 1, "b": 2, "a": 3}"#, "a"), (#"{"x": [{"b": {}}, {"b": 1, "\u0062": 2}]}"#, "b"),
        (#"[{"": 1, "": 2}]"#, ""), (#"{"a": {"a": {"a": 1, "b": 2, "a": 3}}}"#, "a"),
    ])
    func `is found at any depth`(json: String, name: String) {
        #expect(RepeatedMember.name(in: json.utf8) == name)
    }

    @Test(arguments: [
        #"{"a": {"b": 1}, "b": {"a": 1}}"#, #"[{"a": 1}, {"a": 2}]"#, #"{"a": ["a", "a"]}"#, "{}", "[]", "1", "", "{",
        #"{"a" 1}"#,
        #"{"a": "b""#, String(repeating: "[", count: 100_000),
    ])
    func `is none elsewhere, nor in what is no JSON`(json: String) {
        #expect(RepeatedMember.name(in: json.utf8) == nil)
    }
}
