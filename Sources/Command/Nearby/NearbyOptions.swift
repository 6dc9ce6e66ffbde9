internal import ArgumentParser
internal import Countersign
internal import CountersignNearby
internal import Foundation

/// The options of this terminal for the local network: shared by `signin`, `approve` and `nearby`.
struct NearbyOptions: ParsableArguments {
    @OptionGroup var interfaces: InterfaceOptions

    @Option(help: ArgumentHelp("Which app this is: only the same app is met.", valueName: "id"))
    var app = usualApp

    @Flag(help: "Pair with the other device, if it wants that too: the next time no digits are typed.")
    var pair = false

    /// Whether any option was given.
    var isChosen: Bool { pair || app != Self.usualApp || !interfaces.interfaces.isEmpty }

    private static let usualApp = "countersign"

    /// The settings of this terminal on the local network.
    func settings(calling name: String) throws -> NearbySettings {
        guard let app = NearbyAppID(app) else { throw CommandError.usage("--app has 1 to 255 bytes.") }
        guard let name = PeerName(cutting: name) else { throw CommandError.usage("A name is not empty.") }
        return NearbySettings(app: app, name: name, pairings: Self.pairings, clock: .system, random: .system)
    }

    /// The store of paired devices.
    static var pairings: FilePairingStore {
        FilePairingStore(path: StoreOptions.defaultDirectory.appendingPathComponent("nearby-pairings").path)
    }
}
