import Testing

@testable import CountersignGate

@Suite("The rules of a site")
struct GateRuleTests {
    private enum Decision: Equatable { case everybody, people, admins, refused }

    private func decision(_ path: String, _ method: String = "GET", overriding: Bool = false) throws -> Decision {
        let configuration = try GateUnderTest.configuration(#""original-request": "x-forwarded","#)
        let site = try #require(configuration.sites["localhost"])
        switch site.rule(for: try #require(SitePath(path)), method, overridingMethod: overriding) {
        case .ambiguous: return .refused
        case .rule(let rule):
            switch rule.access {
            case .everybody: return .everybody
            case .people(let demands): return demands.groups.isEmpty ? .people : .admins
            }
        }
    }

    @Test func `let the first that matches decide, and people who are signed in where none does`() throws {
        #expect(try decision("/share/a") == .everybody)
        #expect(try decision("/share/a", "HEAD") == .everybody)
        #expect(try decision("/share/a", "POST") == .people)
        #expect(try decision("/admin/a") == .admins)
        #expect(try decision("/") == .people)
    }

    @Test(arguments: [
        "/Admin/a", "/ADMIN", "/admin./a", "/admin%20/a", "/%20admin/a", "/admin%C2%A0./a", "/Share/a", "/%C5%BFhare/a",
        "/adm%C4%B1n", "/admin%3Fx", "/admin%23/a", "/admin%3F%CC%81/a", "/admin%3Bx/a",
        "/%E2%93%90dmin", "/ad%E2%80%8Dmin/a",
    ])
    func `refuse a path that some server takes for one of theirs`(path: String) throws {
        #expect(try decision(path) == .refused)
    }

    @Test(arguments: ["/c/%23general", "/x%3Fadmin", "/Rock%3BPop.mp3", "/%EF%BC%881%EF%BC%89"])
    func `decide about a path that some server reads differently, and takes for none of theirs`(path: String) throws {
        #expect(try decision(path) == .people)
    }

    @Test func `refuse a method that a header field replaces where they ask for the method`() throws {
        #expect(try decision("/share/a", overriding: true) == .refused)
        #expect(try decision("/admin/a", overriding: true) == .admins)
    }
}
