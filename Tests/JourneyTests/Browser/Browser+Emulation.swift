extension Browser {
    /// Takes on a size, a colour scheme and whether scripts run, for this page and those to come.
    ///
    /// Scripts that a page has already run stay run: open or reload the page after turning them off.
    func look(_ options: BrowserOptions) async throws {
        try await resize(width: options.width, height: options.height)
        try await prefer(options.scheme)
        try await allowJavaScript(options.javaScript)
    }

    /// Gives pages exactly this many CSS pixels; below 600 in the manner of a phone, which minds the
    /// page's viewport declaration and lays out a page without one on 980 pixels.
    func resize(width: Int, height: Int) async throws {
        try await session.devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)),
                "height": .number(Double(height)),
                "deviceScaleFactor": 1,
                "mobile": .bool(width < 600),
            ]
        )
    }

    /// Sets what `prefers-color-scheme` answers; colours that would fade over have changed when this returns.
    func prefer(_ scheme: BrowserOptions.Scheme) async throws {
        try await session.devTools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]]]
        )
        try await run("document.getAnimations().forEach((animation) => animation.finish())")
    }

    /// Sets which languages the browser says that its person prefers, in the form of `Accept-Language`.
    func preferLanguages(_ languages: String) async throws {
        try await session.devTools("Network.enable", [:])
        try await session.devTools(
            "Network.setExtraHTTPHeaders",
            ["headers": ["Accept-Language": .string(languages)]]
        )
    }

    /// Turns the scripts of pages on or off.
    func allowJavaScript(_ allowed: Bool) async throws {
        try await session.devTools("Emulation.setScriptExecutionDisabled", ["value": .bool(!allowed)])
    }
}
