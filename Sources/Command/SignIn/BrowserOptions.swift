internal import ArgumentParser
internal import CountersignRequester

/// The options of `signin --browser`: by the browser of this machine instead of a code.
struct BrowserOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Sign in by the browser of this machine; by a code where no browser can be used.",
            discussion: """
                It goes on with a code when no browser opens here, or the server has no authorization endpoint; every other \
                failure ends the sign-in. The browser comes back to a free port of this machine, at \
                http://127.0.0.1:<port>/callback: that has to be registered with the server, which leaves the port open. \
                $BROWSER may name the browser.
                """
        )
    )
    var browser = false

    @Option(help: ArgumentHelp("With --browser, how long to wait for its answer. (default: 600)", valueName: "seconds"))
    var browserWait: UInt16?

    @Option(
        help: ArgumentHelp(
            "The port of this machine where the browser comes back to, with --browser, or with --cpa and --open.",
            discussion: """
                One that is free, unless given. A server that wants the whole address registered needs the same port each \
                time: http://127.0.0.1:<port>/callback with --browser, http://127.0.0.1:<port>/verification with --cpa. A \
                Countersign leads back to any port.
                """
        )
    )
    var callbackPort: UInt16 = 0

    /// The options of the sign-in by the browser; `nil` when none is wanted.
    func options(allowingInsecureHTTP: Bool, binding: TokenBinding) throws -> AppToAppOptions? {
        guard browser else {
            guard browserWait == nil else { throw CommandError.usage("--browser-wait goes with --browser.") }
            guard callbackPort == 0 else {
                throw CommandError.usage("--callback-port goes with --browser, or with --cpa and --open.")
            }
            return nil
        }
        var options = AppToAppOptions()
        if let browserWait { options.lifetime = .seconds(browserWait) }
        options.network.allowingInsecureHTTP = allowingInsecureHTTP
        options.network.binding = binding
        return options
    }
}
