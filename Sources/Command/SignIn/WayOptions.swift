internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import Foundation

/// The options of `signin` for its ways: the choice among them, and the settings of some.
struct WayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sign in by these ways only, with commas between them. (default: all that this terminal can take)",
            discussion: """
                nearby: a phone on the local network; browser: the browser of this machine; push: the devices of the person \
                who is remembered here; code: a code, a link and a QR code.
                """,
            valueName: "ways"))
    var only: String?

    @Option(
        help: ArgumentHelp(
            "The port of this machine where the browser comes back to, also with --cpa and --open.",
            discussion: """
                One that is free, unless given. A server that wants the whole address registered needs the same port each \
                time: http://127.0.0.1:<port>/callback, or http://127.0.0.1:<port>/verification with --cpa. A Countersign \
                leads back to any port.
                """
        )
    )
    var callbackPort: UInt16 = 0

    @OptionGroup(title: "Nearby")
    var network: NearbyOptions

    /// Whether any of these was given.
    var isChosen: Bool { only != nil || callbackPort != 0 || network.isChosen }

    /// The names of these options, for a sentence.
    static let names = "--only, --callback-port, --interface, --app, --pair"

    /// The chosen ways; `nil` for all that this terminal can take.
    ///
    /// - Throws: ``SignInError`` `way_unusable` for a name that no way has; a ``CommandError`` for one that is like the
    ///   name of a way, and for settings of a way that is not among them.
    func chosen() throws -> Set<SignInWay>? {
        guard let only else { return nil }
        let names = only.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let suggestion = Suggestion(from: SignInWay.allCases.map(\.rawValue))
        for name in names where SignInWay(rawValue: name) == nil {
            guard let question = suggestion.question(for: name) else { continue }
            throw CommandError.usage("‘\(name.shown)’ is no way to sign in. \(question)")
        }
        let ways = try Set(naming: names)
        guard ways.contains(.nearby) || !network.isChosen else {
            throw CommandError.usage(
                "--interface, --app and --pair go with the way nearby, which --only leaves out.")
        }
        guard ways.contains(.browser) || callbackPort == 0 else {
            throw CommandError.usage("--callback-port goes with the way browser, which --only leaves out.")
        }
        return ways
    }

    /// The screen that this terminal is, with the abilities that its environment has, whatever ways are chosen.
    ///
    /// - Parameters:
    ///   - name: The screen's name.
    ///   - person: The person whom this terminal remembers; `nil` for nobody, or several.
    ///   - desktop: The desktop session of this terminal.
    /// - Throws: as ``chosen()``; a ``CommandError`` when the local network was named, and cannot be searched.
    func screen(
        named name: String,
        remembering person: RememberedPerson?,
        at desktop: DesktopSession = .current
    ) throws -> SignInScreen {
        let ways = try chosen()
        var screen = SignInScreen(name: name)
        if ways?.contains(.browser) == true ? desktop.opensPages : desktop.isInFrontOfPerson {
            screen.browser = LoopbackBrowser(opening: DesktopOpener(), port: callbackPort)
        }
        screen.nearby = try search(named: name, isWanted: ways?.contains(.nearby) == true)
        screen.rememberedPerson = person
        return screen
    }

    /// The search for phones nearby; `nil` when no network can be searched, and none was named.
    private func search(named name: String, isWanted: Bool) throws -> NearbySearch? {
        do {
            return NearbySearch(
                try network.settings(calling: name), by: try network.interfaces.discovery(),
                pairs: network.pair)
        } catch {
            guard isWanted || network.isChosen else { return nil }
            throw error
        }
    }
}
