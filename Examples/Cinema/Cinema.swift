import CountersignNearby
import Foundation

/// A cinema's app on a TV gets in by the cinema's app on a phone nearby. No server of Countersign takes part: the phone
/// hands over bytes of its own, a ticket that the cinema takes once. In three terminals:
///
///     swift run Cinema service 127.0.0.1:8003
///     swift run Cinema phone http://127.0.0.1:8003 SESSION [lo]
///     swift run Cinema screen http://127.0.0.1:8003 [lo]
///
/// The service prints the session that the phone is signed in with. The last word is an interface of the local network.
@main
struct Cinema {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch (words.first, words.count) {
            case ("service", 2): try await CinemaService(at: words[1]).run()
            case ("phone", 3...4):
                try await CinemaPhone(box: TicketBox(at: words[1]), session: words[2]).run(
                    on: network(words.dropFirst(3)))
            case ("screen", 2...3):
                try await CinemaScreen(box: TicketBox(at: words[1]), on: network(words.dropFirst(2))).run()
            default:
                say("Usage: Cinema service ADDRESS | phone SERVICE SESSION [INTERFACE] | screen SERVICE [INTERFACE]")
                exit(64)
            }
        } catch {
            say("It did not work: \(error)")
            exit(1)
        }
    }

    /// The local network: all of it, or one interface.
    private static func network(_ interfaces: ArraySlice<String>) -> InterfaceSelection {
        interfaces.isEmpty ? .all : .named(Set(interfaces))
    }

    /// A line that the person types.
    static func typed() async -> String? {
        await withCheckedContinuation { answered in
            // A thread of its own, since reading waits.
            Thread.detachNewThread { answered.resume(returning: readLine()) }
        }
    }

    /// Prints a line at once, also into a pipe.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// The settings of an end: both have the same app. Pairings would be kept in a file or the Keychain.
    static func settings(calling name: String) throws -> NearbySettings {
        guard let app = NearbyAppID("org.example.cinema"), let name = PeerName(name) else { throw CinemaError() }
        return NearbySettings(app: app, name: name, pairings: MemoryPairingStore(), clock: .system, random: .system)
    }
}

/// The message of the example when it can't go on.
struct CinemaError: Error, CustomStringConvertible {
    var description = "That is not allowed."
}
