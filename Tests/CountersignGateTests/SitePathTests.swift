import Testing

@testable import CountersignGate

@Suite("A path of a site")
struct SitePathTests {
    @Test(arguments: [
        "/", "/photos", "/photos/", "/photos/2026/a.jpg", "/a%20b", "/%C3%A4", "/a+b", "/~anna", "/@me", "/a:b", "/a|b",
        "/100%25", "/...", "/a.b", "/%5Bx%5D",
    ])
    func `is read when all servers read it alike`(text: String) {
        #expect(SitePath(text) != nil)
    }

    @Test(arguments: [
        "", "photos", "*", "http://photos.example.com/", "/.", "/..", "/a/../b", "/a/./b", "/%2e%2e/b", "/.%2E/b",
        "//a",
        "/a//b", "/a%2fb", "/a%2Fb", "/a\\b", "/a%5cb", "/a;x=1/b", "/..;/b", "/a%00", "/a%0a", "/a%7f", "/a\u{7F}",
        "/a b", "/a\tb", "/%", "/%2", "/%zz", "/%252e%252e/b", "/%2541", "/%c0%ae", "/%ff", "/ä", "/a#b", "/a%u002e",
        "/%EF%BC%8E%EF%BC%8E/b", "/%E2%80%A5/b", "/a%C2%ADb", "/a%E2%80%8Bb", "/a%C2%85",
    ])
    func `is refused when two servers may read it differently`(text: String) {
        #expect(SitePath(text) == nil)
    }

    @Test func `is refused beyond its greatest length`() {
        #expect(SitePath("/" + String(repeating: "a", count: SitePath.longest - 1)) != nil)
        #expect(SitePath("/" + String(repeating: "a", count: SitePath.longest)) == nil)
    }

    @Test(arguments: [
        ("/admin", "/admin", true), ("/admin", "/%61dmin", true), ("/admin", "/admin/", false),
        ("/admin", "/Admin", false), ("/admin/*", "/admin", true), ("/admin/*", "/admin/", true),
        ("/admin/*", "/admin/a/b", true), ("/admin/*", "/administrator", false), ("/*", "/x", true),
    ])
    func `matches a pattern letter by letter`(pattern: String, text: String, matches: Bool) throws {
        let path = try #require(SitePath(text))
        let read = try #require(PathPattern(parsing: pattern))
        #expect(read.matches(path) == matches)
    }

    @Test(arguments: ["admin", "/a*", "/*/a", "/a//b", "/../a", ""])
    func `is no pattern in another form`(text: String) {
        #expect(PathPattern(parsing: text) == nil)
    }
}
