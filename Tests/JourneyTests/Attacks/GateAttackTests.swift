import CountersignTesting
import Foundation
import TestShell
import Testing

/// The table of tricks: each of them against each proxy, by a stranger and by a person who is no administrator.
@Suite("A stranger at a site behind a gate", .timeLimit(.minutes(15)))
struct GateAttackTests {
    /// Targets that a stranger would like to be taken for ones below `/share/`.
    private static let strangersTargets = [
        "/", "/x", "/share/../x", "/share/..%2fx", "/share/%2e%2e/x", "/share/%2e%2e%2fx", "/share/..;/x",
        "/share;/../x", "//x", "/share//../x", "/share/\\..\\x", "/share/%5c..%5cx", "/share/%252e%252e/x",
        "/share/%c0%ae%c0%ae/x", "/share/%00/../x", "/./share/../x", "/share/.%2e/x", "/Share/x", "/share%2f..%2fx",
        "/x?/share/", "/share/../../x", "/gate/../x", "/gate/%2e%2e/x", "/gate//../x", "/GATE/../x", "/gate/..;/x",
        "/countersign-gate-check", "/check", "/gate/../check", "/share/%", "/share/%zz", "/sharex",
        "/share/%uff0e%uff0e/x", "/" + String(repeating: "a", count: 7_000),
    ]

    /// Targets that a person would like to be taken for none below `/admin/`.
    private static let personsTargets = [
        "/admin", "/admin/", "/admin/x", "/Admin/x", "/ADMIN", "/admin./x", "/admin%20/x", "/%61dmin/x", "/admin;a/x",
        "/x/../admin/", "//admin/x", "/admin%2fx", "/admin\\x", "/admin%5cx", "/./admin/x", "/%EF%BD%81dmin/x",
        "/admin%00", "/admin%2e", "/admin%3b/x", "/x/%2e%2e/admin", "/x/..%2fadmin", "/share/../admin/x",
        "/admin/../admin/x", "/%2561dmin/x", "/admin?x", "/admin/?/share/", "/gate/../admin/x",
    ]

    /// Targets with names of which nothing, or a dot segment, is left to a site that drops parameters, or what a file system
    /// drops at the end of a name.
    private static let foldedTargets = [
        "/share/..%3B/admin/x", "/share/..%3b/x", "/share/.%3Bx/..%3B/x", "/share/..%20/x", "/share/.../x",
        "/share/..%3Fx/x", "/share/..%23/x", "/share/..%C2%A0/x", "/share/%3Ba/x", "/x/..%3B/admin/x", "/%3Bx/admin/x",
        "/%20/admin/x", "/.%20/admin/x", "/.../admin/x", "/admin%3Bx/x", "/%20admin/x",
    ]

    private static let socket = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==",
        "Sec-WebSocket-Version: 13",
    ]

    private static let fields = [
        ["X-Forwarded-Uri: /share/a"], ["X-Forwarded-Uri: /share/a", "X-Forwarded-Uri: /share/b"],
        ["X-Original-URI: /share/a"], ["x-original-uri: /share/a"],
        ["X-Original-Url: /share/a", "X-Rewrite-Url: /share/a"],
        ["X-Forwarded-Host: other.example"], ["X-Forwarded-Method: OPTIONS"], ["X-Original-Method: OPTIONS"],
        ["X-Forwarded-Proto: https"], ["X-Http-Method-Override: OPTIONS"], ["Remote-User: root"], ["REMOTE-USER: root"],
        ["Remote_User: root"], ["remote_user: root", "Remote-User: root"], ["Remote-Groups: admins"],
        ["Remote_Groups: admins"], ["X-Countersign-Assertion: e.y.J"], ["X_Countersign_Assertion: e.y.J"],
        ["X-Countersign_Assertion: e.y.J"], ["Remote.User: root"], ["Remote~Groups: admins", "REMOTE.user: root"],
        ["X.Countersign_Assertion: e.y.J"], ["Remote-User:", "Remote-User: root"],
        ["Connection: close, X-Forwarded-Uri, X-Original-URI, Cookie"],
        ["Connection: close, Remote-User, X-Forwarded-Method"], ["Connection: close, Remote-Groups"],
        ["Connection: close, remote_user, X.Countersign_Assertion"], ["Connection: close", "Connection: REMOTE-USER"],
        ["X-Forwarded-For: 127.0.0.1"],
        ["Forwarded: for=127.0.0.1;host=x"], ["Authorization: Bearer x"], ["Authorization: Basic YTpi"],
        socket,
        ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"],
        ["Upgrade: websocket, h2c", "Connection: Upgrade"], ["Upgrade: tls/1.0", "Connection: Upgrade"],
        ["Range: bytes=0-10"], ["Accept: text/html"], ["Sec-Fetch-Mode: navigate"], ["X-Forwarded-Uri : /share/a"],
    ]

    @Test(arguments: GateProxy.allCases)
    func `passes by no trick with path, header, method or body`(proxy: GateProxy) async throws {
        try await JourneyServer.with(clock: ManualClock(Date())) { server in
            try await GatedSite.with(behind: proxy, at: server) { site in
                for target in Self.strangersTargets {
                    // A path that the proxy has made plain may be one below `/share/`.
                    let received = try await site.answer(target).received
                    #expect(received == nil || received?.path.hasPrefix("/share/") == true, "\(target)")
                }
                for target in Self.foldedTargets {
                    #expect(try await site.answer(target).received == nil, "\(target)")
                }
                // An authority that one server ends at another place than the next one.
                let authority = "127.0.0.1:\(site.port)"
                for mark in ["?", "#", "\\x", ";x", "%2fx", "?/admin/x", "\\admin\\x"] {
                    let target = "http://\(authority)\(mark)@\(authority)/share/a"
                    let received = try await site.answer(target).received
                    #expect(received == nil || received?.path == "/share/a", "\(target)")
                }
                #expect(try await site.answer("http://\(authority)/share/a").received?.path == "/share/a")
                let names = ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"]
                let told = try await site.answer("/share/a", names).received
                let forwarded = told?.headers.filter { $0[0].lowercased().hasPrefix("x-forwarded-") }.map { $0[1] }
                #expect(forwarded?.sorted() == ["127.0.0.1", authority, "http"])
                for fields in Self.fields + site.wrongCookies {
                    let refused = try await site.answer("/x", fields)
                    #expect(refused.received == nil && refused.status != 101, "\(fields)")
                    let shared = try await site.answer("/share/a", fields)
                    #expect(shared.received?.claims ?? [] == [], "\(fields)")
                    // A connection in another protocol would be seen by the proxy and the gate no more.
                    #expect((shared.status == 101) == (fields == Self.socket), "\(fields)")
                }
                for other in site.otherHosts {
                    for host in [other, "localhost", "\(other), 127.0.0.1:\(site.port)"] {
                        for target in ["/x", "http://\(other)/x"] {
                            #expect(try await site.answer(target, host: host).received == nil, "\(host) \(target)")
                        }
                    }
                    let others = ["X-Forwarded-Host", "X-Original-Host", "X-Host"].map { "\($0): \(other)" }
                    #expect(try await site.answer("http://\(other)/x", others).received == nil)
                    #expect(try await site.answer("/x", others).received == nil)
                }
                let long = "/" + String(repeating: "a", count: 4_000)
                #expect(try await site.answer(long, ["Accept: text/html"]).status == 302)
                for method in ["get", "CONNECT", "PURGE", "OPTIONS", "PROPFIND", "POST", "DELETE"] {
                    #expect(try await site.answer("/x", method: method).received == nil, "\(method)")
                }
                let large = [UInt8](repeating: 0x7A, count: 10 << 20)
                #expect(try await site.answer("/x", method: "POST", body: large).received == nil)
                #expect(try await site.answer("/share/a").received?.path == "/share/a")
            }
        }
    }

    @Test(arguments: GateProxy.allCases)
    func `passes nowhere while the gate is stopped`(proxy: GateProxy) async throws {
        try await JourneyServer.with(clock: ManualClock(Date())) { server in
            try await GatedSite.with(behind: proxy, at: server) { site in
                site.gate?.kill()
                for target in ["/x", "/share/a", "/files/a.txt"] {
                    let answer = try await site.answer(target)
                    #expect(answer.received == nil)
                    #expect(answer.status == (proxy == .caddy ? 502 : 503))
                }
            }
        }
    }

    @Test(arguments: GateProxy.allCases)
    func `stays who they are by every trick after they signed in`(proxy: GateProxy) async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: proxy, at: story.server) { site in
                let cookie = try await site.signIn(story.browser)
                let known = try #require(try await site.answer("/x", cookie: cookie).received)
                #expect(known.person.contains("remote-user: anna") && known.claims.count > known.person.count)
                for target in Self.personsTargets + Self.foldedTargets {
                    #expect(try await site.answer(target, cookie: cookie).received == nil, "\(target)")
                }
                for fields in Self.fields + site.wrongCookies {
                    for target in ["/x", "/bare/x"] {
                        let received = try await site.answer(target, fields, cookie: cookie).received
                        // nginx has a place without the fields of the gate.
                        let isTold = target == "/x" || proxy != .nginx
                        #expect(received == nil || received?.person == (isTold ? known.person : []), "\(fields)")
                        #expect(
                            received == nil || received?.claims.count == (isTold ? known.claims.count : 0), "\(fields)")
                        #expect(
                            received?.claims.contains { $0.contains("admins") || $0.hasSuffix("e.y.J") } != true,
                            "\(fields)")
                    }
                }
                for other in site.otherHosts {
                    let received = try await site.answer("/x", cookie: cookie, host: other).received
                    let user = received?.value("Remote-User")
                    #expect(received == nil || user == "anna", "\(other)")
                }
                let large = [UInt8](repeating: 0x7A, count: 10 << 20)
                let sent = try await site.answer("/x", method: "POST", cookie: cookie, body: large)
                #expect(sent.received?.body == large.count)
                let own = try await site.answer("/socket", Self.socket + ["Origin: \(site.address)"], cookie: cookie)
                #expect(own.status == 101)
                let foreign = try await site.answer(
                    "/socket", Self.socket + ["Origin: http://evil.example"], cookie: cookie)
                #expect(foreign.status == 403)
                // The connections of the proxy to the gate go on afterwards.
                #expect(try await site.answer("/x", cookie: cookie).status == 200)
            }
        }
    }
}
