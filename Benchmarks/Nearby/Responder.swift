internal import Foundation
internal import TestShell

/// A program that searches and advertises.
enum Responder: String, CaseIterable {
    case countersign = "Countersign"
    case avahi = "Avahi"
    case zeroconf = "python-zeroconf"

    /// The type of service that all of them look for.
    static let type = "_http._tcp"
}

/// The commands that run each of them.
struct Responders {
    let command: String
    let python: String

    /// Those that are here.
    var present: [Responder] {
        Responder.allCases.filter { one in
            switch one {
            case .countersign: true
            case .avahi:
                (try? Shell.run(
                    "sh", ["-c", "PATH=$PATH:/usr/sbin; command -v avahi-daemon && command -v avahi-browse"])) != nil
            case .zeroconf: (try? Shell.run(python, ["-c", "import zeroconf"])) != nil
            }
        }
    }

    func search(_ one: Responder) -> [String] {
        switch one {
        case .countersign: [command, "dns-sd", "browse", Responder.type, "--json"]
        case .avahi: ["stdbuf", "-oL", "avahi-browse", "-rp", Responder.type]
        case .zeroconf: [python, "-u", "\(Self.peers)/browse.py", "\(Responder.type).local."]
        }
    }

    func advertise(_ name: String, by one: Responder) -> [String] {
        switch one {
        case .countersign: [command, "dns-sd", "advertise", name, Responder.type, "8080", "path=/"]
        case .avahi: ["avahi-publish", "-s", name, Responder.type, "8080", "path=/"]
        case .zeroconf: [python, "-u", "\(Self.peers)/advertise.py", name, "10.78.0.2", "120"]
        }
    }

    /// Measures the start-up time of a program, in seconds, by one that only prints its version; 0 for a program that
    /// reports itself when its work begins.
    func start(of one: Responder, on lan: Lan) throws -> Double {
        let words: [String]
        switch one {
        case .countersign: words = [command, "--version"]
        case .avahi: words = ["avahi-browse", "--version"]
        case .zeroconf: return 0
        }
        let program = try lan.start(words, on: .a)
        let began = try program.began()
        let printed = program.line(within: 10) { $0 != TimedProgram.beginning }
        _ = try program.ended()
        return (printed?.at ?? began) - began
    }

    private static let peers = "Tests/NetworkTests/Peers"
}

extension Responder {
    /// Whether its daemon does the work, which has to run on the host.
    var hasDaemon: Bool { self == .avahi }

    /// Whether a line says that its work begins now.
    func begins(_ line: String) -> Bool {
        switch self {
        case .countersign, .avahi: line == TimedProgram.beginning
        case .zeroconf: line == "searching" || line == "beginning"
        }
    }

    /// Whether a line of its search tells where a service is.
    func resolves(_ name: String, _ line: String) -> Bool {
        switch self {
        case .countersign: line.contains(#""event":"resolved""#) && line.contains(#""name":"\#(name)""#)
        case .avahi: line.hasPrefix("=;") && line.contains(";\(name);")
        case .zeroconf: line.hasPrefix("found \(name).")
        }
    }

    /// Whether a line of its search tells that a service has gone.
    func removes(_ name: String, _ line: String) -> Bool {
        switch self {
        case .countersign: line.contains(#""event":"removed""#) && line.contains(#""name":"\#(name)""#)
        case .avahi: line.hasPrefix("-;") && line.contains(";\(name);")
        case .zeroconf: line.hasPrefix("removed \(name).")
        }
    }

    /// Whether a line says that its service has been announced.
    func establishes(_ line: String) -> Bool {
        switch self {
        case .countersign: line.hasSuffix("is advertised.")
        case .avahi: line.hasPrefix("Established")
        case .zeroconf: line == "ready"
        }
    }
}
