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
