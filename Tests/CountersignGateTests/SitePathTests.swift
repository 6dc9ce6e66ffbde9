import Testing

@testable import CountersignGate

@Suite("A path of a site")
struct SitePathTests {
    @Test(arguments: [
        "/", "/photos", "/photos/", "/photos/2026/a.jpg", "/a%20b", "/%C3%A4", "/a+b", "/~anna", "/@me", "/a:b", "/a|b",
        "/100%25", "/a.b", "/%5Bx%5D", "/.a", "/..a",
    ])
    func `is read when all servers read it alike`(text: String) {
        #expect(SitePath(text) != nil)
    }

    @Test(arguments: [
        "/%20a", "/a%20", "/a%3Fb", "/a%23/", "/a..%3Fb", "/Rock%3BPop.mp3", "/a%3Bx/b", "/a%3B", "/a%3F%3Bb/c",
        "/a%3Bb%3F", "/%23/b", "/c/%23general", "/%3Fx/%3Fy", "/%EF%BC%881%EF%BC%89", "/a%EF%BC%81", "/%EF%BD%B1",
        "/what%E2%80%A6", "/a%EF%BC%9F.jpg", "/100%EF%BC%85", "/%E2%81%87", "/%E2%92%88",
        "/%D9%86%D8%A7%D9%85%D9%87%E2%80%8C%D9%87%D8%A7", "/%E2%9D%A4%EF%B8%8F", "/%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB",
        "/a%C2%ADb", "/a%E2%80%8Bb",
    ])
    func `is read where servers read it differently, and no dot segment or empty one`(text: String) {
        #expect(SitePath(text) != nil)
    }

    @Test(arguments: [
        ("/c/%23general", ["c"]), ("/%23/b", []), ("/a%3Fb/c", ["a"]), ("/a%3Bb/c%3B", ["a", "c"]),
        ("/a%3Bb%3F", ["a"]), ("/a%3F%3Bb/c", ["a"]), ("/A.%20/%C5%BF", ["a", "s"]), ("/a/%E2%81%87/b", ["a"]),
        ("/%E2%93%90dmin", ["admin"]), ("/%F0%9D%90%9Admin", ["admin"]), ("/a%C2%ADdm%E2%80%8Bin", ["admin"]),
        ("/a%E2%80%A6", ["a"]), ("/%E2%92%88", ["1"]), ("/%E2%84%AA", ["k"]),
    ])
    func `is folded for servers that read less of it`(text: String, folded: [String]) {
        #expect(SitePath(text)?.folded == folded)
    }

    @Test(arguments: [
        "", "photos", "*", "http://photos.example.com/", "/.", "/..", "/a/../b", "/a/./b", "/%2e%2e/b", "/.%2E/b",
        "//a",
        "/a//b", "/a%2fb", "/a%2Fb", "/a\\b", "/a%5cb", "/a;x=1/b", "/a;", "/..;/b", "/a%00", "/a%0a", "/a%7f",
        "/a\u{7F}",
        "/a b", "/a\tb", "/%", "/%2", "/%zz", "/%252e%252e/b", "/%2541", "/%c0%ae", "/%ff", "/ä", "/a#b", "/a%u002e",
        "/...", "/a/.../b", "/share/..%3B/admin/x", "/%3Bx/b", "/%3B%23", "/a%3Bx%3F/b", "/.%3B/b", "/%20/b", "/a/%20",
        "/.%20/b", "/..%20/b", "/%20../b", "/%20%23/b", "/..%23/b", "/..%3Fx/b", "/.%23", "/%C2%A0/b",
        "/..%E3%80%80/b", "/..%CD%BE/b", "/..%EF%B9%94/b", "/%EF%B8%B0/b", "/%EF%BC%8E%EF%BC%8E/b", "/%E2%80%A5/b",
        "/%E2%80%A6/b", "/.%E2%80%8B/b", "/%E2%80%8B/b", "/a%C2%85", "/a%E2%84%80b", "/a%EF%BC%8Fb", "/a%EF%BC%BCb",
        "/%EF%BC%8541", "/%EF%BC%85%EF%BC%94%E2%80%8B1",
    ])
    func `is refused when two servers may take it for paths of different segments`(text: String) {
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
        ("/K/*", "/%E2%84%AA/a", false), ("/K", "/%E2%84%AA", false), ("/%C3%A4", "/a%CC%88", false),
    ])
    func `matches a pattern letter by letter`(pattern: String, text: String, matches: Bool) throws {
        let path = try #require(SitePath(text))
        let read = try #require(PathPattern(parsing: pattern))
        #expect(read.matches(path) == matches)
    }

    @Test(arguments: [
        ("/admin", "/admin%3F/x", true), ("/admin", "/ADMIN%23a/x", true), ("/admin", "/admin/x%3F", false),
        ("/admin/*", "/x%3F/admin", false), ("/a/b", "/a/%20b.%C2%A0%3Fc/d", true), ("/", "/x%3F", false),
        ("/c", "/c/%23general", true), ("/c/general", "/c/%23general", false), ("/", "/%23/admin", true),
        ("/admin/*", "/admin%3Bx/a", true), ("/a/b", "/a%3Bx/b%3By", true), ("/K", "/%E2%84%AA", true),
        ("/%C3%A4", "/a%CC%88", true), ("/admin", "/%EF%BD%81dmin", true),
    ])
    func `may match a pattern for a server that folds it`(
        pattern: String, text: String, matches: Bool
    ) throws {
        let path = try #require(SitePath(text))
        let read = try #require(PathPattern(parsing: pattern))
        #expect(read.mayMatch(path) == matches)
    }

    @Test(arguments: [
        "admin", "/a*", "/a*/*", "/...", "/a%3Bb", "/a%3Fb/c/*", "/%23", "/a%EF%BC%9F", "/*/a", "/a//b", "/../a", "",
    ])
    func `is no pattern in another form`(text: String) {
        #expect(PathPattern(parsing: text) == nil)
    }
}
