#if os(Linux)
public import Foundation

/// Opens addresses on a Linux desktop, by the programs of xdg-utils.
///
/// An app receives addresses of its own scheme when its desktop file has the line
/// `MimeType=x-scheme-handler/com.example.app;`, and is the default for it (`xdg-mime default`).
///
/// Standard: freedesktop.org Desktop Entry Specification, shared-mime-info (`x-scheme-handler`).
public struct XDGOpener: AppOpener {
    /// The kinds of addresses that can change to another app: a desktop hands https addresses to the browser.
    public let links: AppLinks
    private let clock: TimeSource
    private let environment: [String: String]

    /// The time that `xdg-open` may run before its address counts as opened: with some browsers it runs as long as they
    /// do.
    private static let limit = Duration.seconds(3)

    /// Opens by the programs of this machine.
    public init(links: AppLinks = .schemesAndWebAddresses) {
        self.init(links: links, environment: ProcessInfo.processInfo.environment, clock: .system)
    }

    /// Opens with the programs found in this environment, with its data and configuration.
    init(links: AppLinks, environment: [String: String], clock: TimeSource) {
        self.links = links
        self.environment = environment
        self.clock = clock
    }

    /// Asks which app is the default for the scheme.
    ///
    /// - Parameter address: An address of the scheme in question.
    /// - Returns: Whether one exists. A browser that the variable `BROWSER` names opens https and http too.
    public func canOpen(_ address: URL) async -> Bool {
        guard let scheme = address.scheme?.lowercased(), scheme.utf8.allSatisfy(Self.isOfScheme) else { return false }
        if scheme == "https" || scheme == "http", !(environment["BROWSER"] ?? "").isEmpty { return true }
        let answer = Pipe()
        guard
            await status(of: ["xdg-mime", "query", "default", "x-scheme-handler/\(scheme)"], printingTo: answer) == 0,
            let printed = try? answer.fileHandleForReading.read(upToCount: 1024)
        else { return false }
        return !String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines).isEmpty
    }

    /// Opens an address in the app that is the default for its scheme; https and http first by the variable `BROWSER`.
    ///
    /// - Parameter address: The address; other people of this machine may see it while it is opened.
    /// - Returns: Whether a program ended well, or still runs after three seconds.
    public func open(_ address: URL) async -> Bool {
        for words in browsers(for: address) + [["xdg-open", address.absoluteString]] {
            let status = await status(of: words, printingTo: FileHandle.nullDevice)
            if status == nil || status == 0 { return true }
        }
        return false
    }

    /// Starts a program of this machine, such as the settings of the desktop.
    ///
    /// - Parameter program: Its name or path, and its arguments.
    /// - Returns: Whether it ended well, or still runs after three seconds; `false` where there is no such program.
    public func start(_ program: [String]) async -> Bool {
        guard !program.isEmpty else { return false }
        let status = await status(of: program, printingTo: FileHandle.nullDevice)
        return status == nil || status == 0
    }

    /// The programs that the variable `BROWSER` names for an https or http address, separated by colons; `%s` stands
    /// for the address.
    private func browsers(for address: URL) -> [[String]] {
        guard address.scheme == "https" || address.scheme == "http" else { return [] }
        return (environment["BROWSER"] ?? "").split(separator: ":").map { line in
            let words = line.split(separator: " ").map(String.init)
            let place = address.absoluteString
            return words.contains { $0.contains("%s") }
                ? words.map { $0.replacing("%s", with: place) } : words + [place]
        }
    }

    /// Runs a program; returns its status, or `nil` when it runs on.
    private func status(of words: [String], printingTo output: Any) async -> Int32? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (ends, end) = AsyncStream.makeStream(of: Int32?.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        do {
            try process.run()
        } catch {
            return -1
        }
        let timer = Task { [clock] in
            try? await clock.sleep(for: Self.limit)
            end.yield(nil)
        }
        defer { timer.cancel() }
        for await status in ends { return status }
        return nil
    }

    /// Standard: RFC 3986 §3.1.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
#endif
