import CommandFixture
import Foundation
import Testing

/// The command as a phone, against a server that runs; pictures are PNG files, read by zbar.
@Suite(
    "A phone in a terminal",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg"), "needs zbar-tools"),
    .timeLimit(.minutes(10))
)
struct AuthenticatorCommandTests {
    @Test func `is enrolled by the picture of a code, and by its text, each code once`() async throws {
        let site = try await AuthenticatorSite.start()
        let page = try await site.pageWithCode()
        let enrolled = try await site.phone("enroll --client phone --picture \(try site.save(page, as: "code.png"))")
        #expect(enrolled.status == 0, "\(enrolled.output)")
        #expect(enrolled.output == "This terminal is enrolled at \(site.server.base).\n")
        let text = try #require(page.firstMatch(of: /<p class="key"><code>([^<]+)</)).1
        let again = try await site.run("countersign authenticator enroll --client phone --save other '\(text)'")
        #expect(again.status == 4)
        #expect(again.output == "countersign: That code was used before, or its time is over. Show a new one.\n")
        let next = try #require(try await site.pageWithCode().firstMatch(of: /<p class="key"><code>([^<]+)</)).1
        let second = try await site.run("countersign authenticator enroll --client phone --save other '\(next)'")
        #expect(second.output == "This terminal is enrolled at \(site.server.base).\n", "\(second.output)")
        // Neither a ticket nor a token lies about in the clear, and nobody else reads what is kept.
        let ticket = try #require(next.split(separator: "#").last)
        #expect(try await site.run("grep -rF -e '\(ticket)' data other").status == 1)
        #expect(try await site.run("find other -type f -perm /077").output == "")
        try await site.stop()
    }

    @Test func `shows a code for a screen, and approves what asks by it`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let shown = try await site.phone("connect")
        let code = try #require(shown.output.firstMatch(of: /within 120 s: (\d{4} \d{4})\n/), "\(shown.output)").1
        let screen = try site.server.command.start(
            "exec countersign signin --issuer \(site.server.base) --client tv --yes --save screen "
                + "--device-name Kitchen --code '\(code)'")
        var inbox = ""
        for _ in 0..<1200 where !inbox.contains("  screen: Kitchen (as it calls itself)\n") {
            inbox = try await site.approve("--list").output
        }
        let stay = "  stay:   You stay signed in until you sign out. (--session: remember, own, 15m, 1h, 8h)\n"
        #expect(inbox.contains(stay), "\(inbox)")
        let approved = try await site.approve("--answer approve")
        #expect(approved.output.hasSuffix("It is approved.\n"), "\(approved.output)")
        let outcome = try await screen.finish()
        #expect(outcome.status == 0 && outcome.output.contains("Signed in as Anna Example"), "\(outcome.output)")
        let json = try await site.phone("connect --json").output
        #expect(json.contains(/"code" : "\d{8}"/) && json.contains(#""seconds" : 120"#), "\(json)")
        try await site.stop()
    }

    @Test func `gets messages by UnifiedPush, and reads those for it alone`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let key = try await site.phone("subscribe")
        #expect(key.output.wholeMatch(of: /The server's key: [A-Za-z0-9_-]{87}\n/) != nil, "\(key.output)")
        let address = "https://web.push.apple.com/abc"
        let added = try await site.phone("subscribe \(address)")
        #expect(added.output == "Push messages are sent to \(address).\n", "\(added.output)")
        let again = try await site.phone("subscribe \(address) --json")
        #expect(again.output.contains("\"push\" : true") || again.output.contains("\"push\":true"), "\(again.output)")
        // The server does not call addresses of its own network.
        for refused in ["https://127.0.0.1/abc", "https://ntfy.lan/abc"] {
            #expect(try await site.phone("subscribe \(refused)").status == 7, "\(refused)")
        }
        #expect(try await site.phone("subscribe http://web.push.apple.com/abc").status == 64)
        #expect(try await site.phone("push --encrypted AAAA").status != 0)
        #expect(try await site.phone("push --encrypted '{}'").status == 64)
        #expect(try await site.phone("subscribe \(address) --off").status == 64)
        let off = try await site.phone("subscribe --off")
        #expect(off.output == "No push messages are sent any more.\n", "\(off.output)")
        try await site.stop()
    }

    @Test func `joins a site and leaves it, denies, shows codes, and reports`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        #expect(try await site.phone("sites").output == "None.\n")
        let first = try await site.open("instant")
        let picture = try await site.get(try #require(first["qr_url"] as? String))
        let joined = try await site.phone("sites add --picture \(try site.save(picture, as: "site.png"))")
        #expect(joined.output == "This terminal answers for My Bank.\n", "\(joined.output)")
        #expect(try await site.phone("sites").output == "\(site.environment)  My Bank\n")

        let denied = try await site.approve("--answer deny")
        #expect(denied.status == 0 && denied.output.hasSuffix("It is denied.\n"), "\(denied.output)")
        #expect(try await site.status(of: first) == "denied")

        let second = try await site.open("otp")
        let code = try await site.phone("code")
        let pin = code.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(pin.wholeMatch(of: /\d{5}/) != nil, "\(code.output)")
        #expect(try await site.check(pin, of: second) == "approved")

        let third = try await site.open("instant")
        let number = try #require(third["number"] as? String)
        for wrong in ["1", "abc"] {
            let refused = try await site.approve("--answer approve --number \(wrong)")
            #expect(refused.status == 64, "\(refused.output)")
            #expect(refused.output.contains("shown where you started (2 digits)"), "\(refused.output)")
        }
        let approved = try await site.approve("--answer approve --number \(number)")
        #expect(approved.output.hasSuffix("It is approved.\n"), "\(approved.output)")
        #expect(try await site.status(of: third) == "approved")

        let fourth = try await site.open("instant")
        let reported = try await site.phone("report --reason 'not me'")
        #expect(reported.output.hasSuffix("It is reported.\n"), "\(reported.output)")
        #expect(try await site.status(of: fourth) == "denied")
        let audit = try await site.run("countersign admin audit list")
        #expect(audit.output.contains("reason: not me"), "\(audit.output)")
        try await explains(fourth, at: site)
        let decisions = try await site.phone("decisions")
        #expect(decisions.output.contains("Denied and reported on "), "\(decisions.output)")
        let undone = try await site.phone("undo \(try #require(third["id"] as? String))")
        #expect(undone.status == 1 && undone.output.contains("The site has your approval already"), "\(undone.output)")
        let muted = try await site.run("countersign admin mute list")
        let columns = /PERSON +CLIENT +NAME +CAUSE +SINCE\nanna +(\S+) +My Bank +reported +\S+Z\n/
        let match = try #require(muted.output.wholeMatch(of: columns), "\(muted.output)")
        #expect(String(match.1) == site.environment)
        let json = try await site.run("countersign admin mute list --person anna --json").output
        #expect(json.contains(#""cause" : "reported""#) && json.contains(#""name" : "My Bank""#), "\(json)")
        let lift = "countersign admin mute lift anna \(site.environment)"
        #expect(try await site.run(lift).output == "\(site.environment) may ask anna again.\n")
        let again = try await site.run(lift)
        #expect(again.status == 1 && again.output.hasSuffix("anna has not muted \(site.environment).\n"))
        #expect(try await site.run("countersign admin mute list --person anna").output == "None.\n")

        let left = try await site.phone("sites remove \(site.environment)")
        #expect(left.output == "Removed.\n", "\(left.output)")
        #expect(try await site.phone("sites").output == "None.\n")
        try await site.stop()
    }

    /// Explains a request that was reported at the terminal, in words and as JSON.
    private func explains(_ asked: [String: Any], at site: AuthenticatorSite) async throws {
        let id = try #require(asked["id"] as? String)
        let told = try await site.run("countersign admin explain \(id)")
        #expect(told.status == 0 && told.output.contains("My Bank"), "\(told.output)")
        for words in ["TIME (UTC)", "Asked for", "Shown on ", "Denied and reported on ", "reason: not me", " anna "] {
            #expect(told.output.contains(words), "\(words): \(told.output)")
        }
        let json = try await site.run("countersign admin explain \(id.dropLast(2)) --json").output
        #expect(json.contains(#""id" : "\#(id)""#) && json.contains(#""removed" : false"#), "\(json)")
        if let number = asked["number"] as? String { #expect(!told.output.contains(" \(number) ")) }
    }

    @Test func `tells what comes as it comes, and what is taken back`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        // A device lists the requests of sites that it has joined.
        let first = try await site.open("instant")
        let picture = try await site.get(try #require(first["qr_url"] as? String))
        _ = try await site.phone("sites add --picture \(try site.save(picture, as: "site.png"))")
        #expect(try await site.approve("--answer deny").status == 0)
        let inbox = try site.server.command.start("exec countersign approve --only inbox --json")
        // It waits before there is anything; what comes then is told.
        let asked = try await site.open("instant")
        let id = try #require(asked["id"] as? String)
        let shown = try await inbox.printed { $0.contains(#""event":"arrived""#) }
        #expect(shown.contains(id), "\(shown)")
        #expect(try await site.approve("--list").output.contains(id))
        #expect(try await site.approve("\(id) --answer deny").status == 0)
        let answered = try await inbox.printed { $0.contains(#""event":"answered""#) }
        #expect(answered.contains(#""place":"device""#), "\(answered)")
        inbox.signal(SIGINT)
        _ = try await inbox.finish()
        #expect(try await site.approve("--list").output == "No requests are pending.\n")
        try await site.stop()
    }

    /// The terminal is one of `script`, since only a person at a terminal is asked.
    @Test func `asks a person at a terminal, and takes the question back when it is over`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let joining = try await site.open("instant")
        let picture = try await site.get(try #require(joining["qr_url"] as? String))
        _ = try await site.phone("sites add --picture \(try site.save(picture, as: "site.png"))")
        #expect(try await site.approve("--answer deny").status == 0)
        let line = "exec script -qefc 'countersign approve --only inbox' /dev/null"
        let terminal = try AnsweringTerminal(line, in: site.server.command)

        let first = try await site.open("instant")
        try await terminal.reads("(2 digits), or n: ")
        #expect(try await site.approve("\(try #require(first["id"] as? String)) --answer deny").status == 0)
        try await terminal.reads("Answered on ")
        let second = try await site.open("instant")
        try await terminal.reads("(2 digits), or n: ")
        await terminal.answer("maybe")
        try await terminal.reads("Please type the number")
        try await terminal.reads("(2 digits), or n: ")
        await terminal.answer(try #require(second["number"] as? String))
        try await terminal.reads("It is approved.")
        #expect(try await site.status(of: first) == "denied")
        #expect(try await site.status(of: second) == "approved")
        let third = try await site.open("instant")
        try await terminal.reads("(2 digits), or n: ")
        await terminal.answer("n")
        try await terminal.reads("It is denied.")
        #expect(try await site.status(of: third) == "denied")
        await terminal.press("\u{3}")
        #expect(try await terminal.finish().status == 130)
        try await site.stop()
    }

    @Test func `proves a number by the text in the outbox, has silence, and signs out`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let sent = try await site.phone("phone +31687654321")
        #expect(
            sent.output == "A code was sent. Type: countersign authenticator phone --code CODE\n", "\(sent.output)")
        let wrong = try await site.phone("phone --code 12")
        #expect(wrong.output != "The number is verified.\n")
        let proved = try await site.phone("phone --code \(try await site.codeInOutbox())")
        #expect(proved.output == "The number is verified.\n", "\(proved.output)")

        #expect(try await site.phone("quiet 5").output == "No prompts for 5 min.\n")
        #expect(try await site.phone("quiet 0").output == "Prompts come again.\n")

        #expect(try await site.phone("sign-out").output == "This terminal is signed out.\n")
        let after = try await site.approve("--list")
        #expect(after.status == 1 && after.output.contains("not enrolled"), "\(after.output)")
        try await site.stop()
    }

    /// Rows 118, 120, 122 and 130.
    @Test func `takes in what is pushed to it, with the app closed and in front`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let joining = try await site.open("instant")
        let scan = try await site.push("auth_qr", about: joining)
        #expect(scan.output.contains("opens its scanner"), "\(scan.output)")
        let picture = try await site.get(try #require(joining["qr_url"] as? String))
        _ = try await site.phone("sites add --picture \(try site.save(picture, as: "site.png"))")
        #expect(try await site.approve("--answer deny").status == 0)

        let asked = try await site.open("instant", geoip: #"{"city":"Breda","country_code":"NL"}"#)
        let id = try #require(asked["id"] as? String)
        let closed = try await site.push("auth_instant", about: asked)
        #expect(
            closed.output == """
                Pushed: auth_instant, site \(site.environment), request \(id).
                My Bank: sign in as Anna Example?
                  From 192.0.2.7, Breda, NL
                  To approve, type the number that is shown where you started (2 digits).
                [Deny]

                """)
        let front = try await site.push("auth_instant", about: asked, "--foreground --json")
        let lines = front.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(id) && $0.contains(site.environment) })
        #expect(lines.last?.contains(#""event":"foreground""#) == true)
        // Without identifiers, or with those of other types, the oldest request that waits is meant.
        for message in [#"{"aps":{"category":"auth_instant"}}"#, #"{"type":"auth_instant","envId":7,"authId":["x"]}"#] {
            let shown = try await site.phone("push --json '\(message)'")
            #expect(shown.output.contains(#""event":"notification""#) && shown.output.contains(id), "\(shown.output)")
        }
        let own = try await site.phone("push --deny-title Nein --button later=Spaeter '{}'")
        #expect(own.output.hasSuffix("[Nein] [Spaeter]\n"), "\(own.output)")
        #expect(try await site.phone("push '[]'").status == 64)
        #expect(try await site.approve("--answer deny").status == 0)
        // A message about a request that is over is no error, and shows nothing.
        let over = try await site.push("auth_instant", about: asked)
        #expect(over.status == 0 && over.output.split(separator: "\n").count == 1, "\(over.output)")
        try await site.stop()
    }

    /// Row 137.
    @Test func `shows where the person signs in, on each of its surfaces`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let joining = try await site.open("instant")
        let picture = try await site.get(try #require(joining["qr_url"] as? String))
        _ = try await site.phone("sites add --picture \(try site.save(picture, as: "site.png"))")
        #expect(try await site.approve("--answer deny").status == 0)
        let asked = try await site.open("instant", geoip: #"{"city":"Breda","country_code":"NL"}"#)
        #expect(try await site.approve("--list").output.contains("  from:   192.0.2.7, Breda, NL\n"))
        #expect(try await site.approve("--list --json").output.contains(#""place" : "Breda, NL""#))
        #expect(try await site.push("auth_instant", about: asked).output.contains("From 192.0.2.7, Breda, NL"))
        try await site.person.open("/account")
        #expect(await site.person.text.contains("192.0.2.7, Breda, NL"))
        try await site.person.submit("/activate", ["request": try #require(asked["id"] as? String)])
        #expect(await site.person.text.contains("192.0.2.7, Breda, NL"))
        #expect(await site.person.text.contains("The site’s own words, not verified"))
        try await site.stop()
    }

    /// Row 128, and a lock that is no sign-out.
    @Test func `checks its registration, and keeps it without a network and while its person is locked`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let needed = "No number is verified. Type: countersign authenticator phone NUMBER\n"
        #expect(try await site.phone("check").output == needed)
        _ = try await site.phone("phone +31687654321")
        _ = try await site.phone("phone --code \(try await site.codeInOutbox())")
        #expect(try await site.phone("check").output == "The number is verified.\n")
        // A number that an operator removes has to be proved again.
        try await site.server.administer("user phone remove anna +31687654321 --yes")
        #expect(try await site.phone("check").output == needed)
        let listed = try await site.phone("devices --json")
        let devices = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]]
        #expect(devices?.count == 1 && devices?.first?["current"] as? Bool == true, "\(listed.output)")

        try await site.server.administer("user lock anna")
        let locked = try await site.phone("check")
        #expect(locked.status == 7 && locked.output.contains("stays enrolled"), "\(locked.output)")
        #expect(locked.output.contains("The account is locked"), "\(locked.output)")
        #expect(try await site.approve("--list").output.contains("The account is locked"))
        try await site.server.administer("user unlock anna --keep-devices")
        let unlocked = try await site.phone("check")
        #expect(unlocked.status == 0, "\(unlocked.output)")
        #expect(try await site.approve("--list").output == "No requests are pending.\n")

        try await site.stop()
        let offline = try await site.phone("check")
        #expect(offline.status == 5 && offline.output.contains("stays enrolled"), "\(offline.output)")
    }

    @Test func `names, lists and revokes the devices of its person; an operator does the same`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let code = try #require(try await site.pageWithCode().firstMatch(of: /<p class="key"><code>([^<]+)</)).1
        _ = try await site.run("countersign authenticator enroll --client phone --save other '\(code)'")
        let json = try await site.phone("devices --json").output
        let devices = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        let other = try #require(devices.first { $0["current"] as? Bool == false }?["id"] as? String)
        let own = try #require(devices.first { $0["current"] as? Bool == true }?["id"] as? String)
        #expect(try await site.phone("devices name \(other) 'The lost one'").output == "Named.\n")
        #expect(try await site.phone("devices").output.contains("The lost one"))
        #expect(try await site.run("countersign admin device list").output.contains("The lost one"))
        let admin = try await site.run("countersign admin device list --person anna --json").output
        #expect(admin.contains(#""name" : "The lost one""#) && admin.contains(own), "\(admin)")
        #expect(try await site.phone("devices revoke \(other)").output == "Revoked.\n")
        let lost = try await site.run("countersign approve --list --save other")
        #expect(lost.status == 7 && lost.output.contains(Self.removing), "\(lost.output)")
        // What is left of the enrolment is known, and removed.
        let ended = try await site.run("countersign authenticator check --save other")
        #expect(ended.status == 1 && ended.output.contains("not enrolled any more: its sign-in has ended."))
        #expect(ended.output.contains(Self.removing), "\(ended.output)")
        let removed = try await site.run("countersign authenticator sign-out --save other")
        #expect(removed.status == 0 && removed.output == Self.ended, "\(removed.output)")
        let again = try await site.run("countersign authenticator sign-out --save other")
        #expect(again.status == 1 && again.output.contains("This terminal is not enrolled. Type:"), "\(again.output)")
        let none = try await site.server.administer("device revoke \(other)")
        #expect(none.output == "countersign: There is no device \(other).\n", "\(none.output)")
        let asked = try await site.server.administer("device revoke \(own)")
        #expect(asked.status == 64 && asked.output.hasPrefix("countersign: Revokes the device \(own)"))
        let revoked = try await site.server.administer("device revoke \(own) --yes")
        #expect(revoked.output == "Revoked \(own).\n", "\(revoked.output)")
        for act in ["device.removed", "device.revoked"] {
            #expect(try await site.run("countersign admin audit list | grep -c \(act)").output == "1\n", "\(act)")
        }
        // The command that ends the enrolment may be the first to find out.
        let last = try await site.phone("sign-out")
        #expect(last.status == 0 && last.output == Self.ended, "\(last.output)")
        #expect(try await site.approve("--list").output.contains("This terminal is not enrolled. Type:"))
        #expect(try await site.run("countersign admin device list").output == "No devices.\n")
        try await site.stop()
    }

    private static let removing = "To remove what is left of it here, type: countersign authenticator sign-out"
    private static let ended =
        "The sign-in of this terminal had ended before. What was left of the enrolment here is removed.\n"

    /// Row 140: the time is over ten seconds after the request was made.
    @Test func `tells of the end of a request as expired, and takes no late answer`() async throws {
        let site = try await AuthenticatorSite.start()
        try await site.enroll()
        let joining = try await site.open("instant")
        let picture = try await site.get(try #require(joining["qr_url"] as? String))
        _ = try await site.phone("sites add --picture \(try site.save(picture, as: "site.png"))")
        #expect(try await site.approve("--answer deny").status == 0)
        let inbox = try site.server.command.start("exec countersign approve --only inbox --json")
        let asked = try await site.open("instant", expiry: 10)
        let id = try #require(asked["id"] as? String)
        _ = try await inbox.printed { $0.contains(#""event":"arrived""#) }
        let told = try await inbox.printed { $0.contains(#""event":"expired""#) }
        #expect(!told.contains("withdrawn"), "\(told)")
        inbox.signal(SIGINT)
        _ = try await inbox.finish()
        #expect(try await site.approve("--list").output == "No requests are pending.\n")
        let late = try await site.approve("\(id) --answer approve --number 11")
        #expect(late.status == 7, "\(late.output)")
        #expect(try await site.status(of: asked) == "expired")
        try await site.stop()
    }

    /// Feature 146.
    @Test func `has an example that enrols and joins a site by pictures`() async throws {
        let site = try await AuthenticatorSite.start()
        let code = try site.save(try await site.pageWithCode(), as: "code.png")
        let enrolled = try await site.run("Authenticator phone \(code) in=$HOME/phone")
        #expect(enrolled.output == "Enrolled at \(site.server.base).\n", "\(enrolled.output)")
        let asked = try await site.open("instant")
        let picture = try await site.get(try #require(asked["qr_url"] as? String))
        let joined = try await site.run(
            "Authenticator phone \(try site.save(picture, as: "site.png")) in=$HOME/phone")
        #expect(joined.output == "Registered at My Bank.\n", "\(joined.output)")
        let example = "Authenticator phone \(site.server.base) in=$HOME/phone"
        #expect(try await site.run("\(example) check").output == "Which number do you have?\n")
        let id = try #require(asked["id"] as? String)
        let message = #"{"aps":{"category":"auth_instant"},"envId":"\#(site.environment)","authId":"\#(id)"}"#
        let pushed = try await site.server.command.run("\(example) push", input: message + "\n")
        #expect(
            pushed.output == """
                Buttons: ["Yes", "No"]
                Pushed: authId=\(id) envId=\(site.environment) type=auth_instant
                [1] My Bank: sign in as Anna Example?
                    To approve, type the number that is shown where you started (2 digits).
                    Type: 1 no

                """, "\(pushed.output)")
        let scan = try await site.server.command.run("\(example) push", input: #"{"type":"auth_qr"}"# + "\n")
        #expect(scan.output.hasSuffix("The scanner opens.\n"), "\(scan.output)")
        #expect(try await site.run("find phone -type f -perm /077").output == "")
        try await site.stop()
    }
}
