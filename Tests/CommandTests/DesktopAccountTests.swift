#if SecretService && os(Linux)
import CommandFixture
import Countersign
import CountersignTesting
import DesktopUnderTest
import Testing

@Suite("The command on a desktop with accounts")
struct DesktopAccountTests {
    @Test func `lists the accounts of the desktop below its own`() async throws {
        var (anna, berta, guest) = (
            DesktopAccount(.oauth2, at: "google"), DesktopAccount(.oauth2, at: "google"),
            DesktopAccount(.oauth1, at: "twitter")
        )
        (berta.id, berta.name, berta.attention) = ("account_2", "berta@example.com\u{1B}[2J", true)
        (guest.id, guest.name, guest.temporary) = ("account_3", "@guest", true)
        var password = DesktopAccount(.password, at: "exchange")
        password.id = "account_4"
        let desktop = try await DesktopUnderTest.start([guest, berta, password, anna])
        let command = try CommandUnderTest()
        let bus = "DBUS_SESSION_BUS_ADDRESS=\(desktop.address)"
        _ = try await command.run("printf 'EAAG\\n' | countersign account add facebook anna@example.org")
        let listed = try await command.run("\(bus) countersign account list")
        #expect(listed.status == 0)
        let lines = listed.output.split(separator: "\n")
        #expect(
            [lines[0], lines[1], lines[3]] == [
                "facebook  anna@example.org", "google  anna@example.com  (of the desktop)",
                "twitter  @guest  (of the desktop, for this session)",
            ]
        )
        #expect(lines[2].hasSuffix("(of the desktop, signed out)") && !lines[2].contains("\u{1B}"))
        #expect(!listed.output.contains("exchange") && !listed.output.contains("token-of-anna"))
        // Nothing is different without that desktop.
        let alone = try await command.run("countersign account list")
        #expect(alone.output == "facebook  anna@example.org\n")
        try desktop.set(
            DesktopState(
                accounts: [], faults: ["ObjectManager.GetManagedObjects": "org.gnome.OnlineAccounts.Error.Failed"]))
        let failed = try await command.run("\(bus) countersign account list")
        #expect(failed.output.contains("The accounts of the desktop cannot be read") && failed.status == 0)
    }

    @Test(arguments: ["google", "ms_graph"])
    func `says that no app can sign in with accounts that only the desktop has`(provider: String) async throws {
        var account = DesktopAccount(.oauth2, at: provider)
        account.token = "token-of-the-desktop"
        let desktop = try await DesktopUnderTest.start([account])
        let command = try CommandUnderTest()
        let bus = "DBUS_SESSION_BUS_ADDRESS=\(desktop.address)"
        let sentence = """
            This command does not sign in with accounts of \(provider) that the desktop holds: their tokens were made for \
            the desktop, and no app is known there.
            """
        let refused = try await command.run("\(bus) countersign signin --account \(provider) --client app")
        #expect(refused.status == 64 && refused.output == "countersign: \(sentence)\n", "\(refused.output)")
        let json = try await command.run("\(bus) countersign signin --account \(provider) --client app --json")
        #expect(json.output.contains(#""error":"unsupportedProvider""#) && json.output.contains(sentence))
        let list = try await command.run("\(bus) countersign account list")
        #expect(list.output == "\(provider)  anna@example.com  (of the desktop)\n\(sentence)\n", "\(list.output)")
        let shown = try await command.run("\(bus) countersign account list --json")
        #expect(shown.output.contains(#""signs_in" : false"#) && !shown.output.contains("token-of-the-desktop"))
        #expect(!desktop.called.contains("OAuth2Based.GetAccessToken"))
        // Without such an account the sentence would not be true.
        let none = try await command.run("countersign signin --account \(provider) --client app")
        #expect(none.output == "countersign: This system has no accounts of this provider. Sign in another way.\n")
    }

    @Test func `101 signs in after the desktop has renewed the account`() async throws {
        let graph = try await GraphProvider.start()
        var account = DesktopAccount(.oauth2, at: "facebook")
        account.token = "expired"
        account.renewed = graph.issue(GraphToken(for: graph.app)).revealed
        let desktop = try await DesktopUnderTest.start([account])
        let command = try CommandUnderTest()
        let outcome = try await command.run(
            """
            printf 'yes\\nyes\\n' | DBUS_SESSION_BUS_ADDRESS=\(desktop.address) countersign signin --account facebook \
            --client \(graph.app) --account-base \(graph.base) --show-tokens
            """)
        #expect(outcome.status == 0 && outcome.output.contains("Signed in as "), "\(outcome.output)")
        let renewed = try #require(account.renewed)
        #expect(outcome.output.contains("Token: \(renewed)\n"), "\(outcome.output)")
        #expect(desktop.called.filter { $0 == "Account.EnsureCredentials" }.count == 1)
        await graph.stop()
    }

    @Test func `107 opens the settings where the desktop has them`() async throws {
        let command = try CommandUnderTest()
        let words = "In the settings of the desktop, under Online Accounts, you add an account or sign in to it again."
        let without = try await command.run("mkdir -p bin && PATH=$PWD/bin:$PATH countersign account settings")
        #expect(without.status == 0 && without.output.contains(words), "\(without.output)")
        #expect(!without.output.contains("are open"))
        let fake = #"printf '#!/bin/sh\nprintf "%%s " "$@" > "$HOME/settings"\n' > bin/gnome-control-center"#
        _ = try await command.run("\(fake) && chmod +x bin/gnome-control-center")
        let opened = try await command.run("PATH=$PWD/bin:$PATH countersign account settings")
        #expect(opened.output.hasSuffix("\(words)\nThe settings of the desktop are open.\n"), "\(opened.output)")
        #expect(try await command.run("cat settings").output == "online-accounts ")
        let shown = try await command.run("PATH=$PWD/bin:$PATH countersign account settings --json")
        #expect(shown.output.contains(#""opened" : true"#) && shown.output.contains(#""gnome-control-center""#))
    }

    @Test func `signs in with an account of the desktop, and asks once`() async throws {
        let graph = try await GraphProvider.start()
        var account = DesktopAccount(.oauth2, at: "facebook")
        account.token = graph.issue(GraphToken(for: graph.app)).revealed
        let desktop = try await DesktopUnderTest.start([account])
        let command = try CommandUnderTest()
        let line = """
            DBUS_SESSION_BUS_ADDRESS=\(desktop.address) countersign signin --account facebook \
            --client \(graph.app) --account-base \(graph.base)
            """
        let first = try await command.run("printf 'yes\\nyes\\n' | \(line)")
        #expect(first.output.contains("May countersign use anna@example.com?"), "\(first.output)")
        #expect(first.output.contains("Signed in as "), "\(first.output)")
        let second = try await command.run("echo yes | \(line)")
        #expect(!second.output.contains("May ") && second.output.contains("Signed in as "), "\(second.output)")
        account.attention = true
        try desktop.set(DesktopState(accounts: [account]))
        let signedOut = try await command.run("echo yes | \(line)")
        #expect(signedOut.output.contains("Sign in to it again in the settings"), "\(signedOut.output)")
        #expect(signedOut.status == 7)
        await graph.stop()
    }
}
#endif
