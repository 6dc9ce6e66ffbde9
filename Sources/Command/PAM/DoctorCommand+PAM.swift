internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

extension DoctorCommand {
    /// `countersign doctor pam`: describes the errors of a host's set-up, before anybody signs in.
    struct PAM: OutputCommand {
        static let configuration = CommandConfiguration(
            commandName: "pam",
            abstract: "Say what is wrong with the sign-in on this host by PAM, and what to do.",
            discussion: "Run it as root, before you enable the module. It changes nothing and asks nobody."
        )

        @Option(help: "The file with the configuration.")
        var config = PAMConfiguration.standardPath

        @Flag(help: "Print JSON.")
        var json = false

        func output() async throws -> CommandOutput {
            var findings: [Finding] = []
            do throws(CommandError) {
                let configuration = try PAMConfiguration(at: config)
                findings.append(.fine("settings", "\(config) can be used."))
                findings.append(await Self.finding(about: configuration))
                findings += PAMCheck(services: configuration.services, files: .ofThisHost).findings
            } catch {
                findings.append(.problem("settings", error.description, "No other checks were made."))
            }
            return CommandOutput(about: findings)
        }

        /// Whether the server answers at its address.
        private static func finding(about configuration: PAMConfiguration) async -> Finding {
            configuration.trustCertificates()
            let address = configuration.issuer.text
            let path = "/.well-known/openid-configuration"
            guard let url = URL(string: address + path), let host = url.host else {
                return .problem("server", "\(address) is no address.", "Mend issuer.")
            }
            let authority = url.port.map { "\(host):\($0)" } ?? host
            let request = HTTPRequest(method: .get, scheme: url.scheme, authority: authority, path: url.path)
            do {
                let answer = try await SystemTransport.make().send(
                    request, body: [], within: PAMSigningIn.requestLimit)
                guard answer.response.status == .ok else {
                    return .problem(
                        "server", "\(address) answers with status \(answer.response.status.code).", "Mend issuer.")
                }
                return .fine("server", "\(address) answers.")
            } catch {
                return .problem(
                    "server", "\(address) cannot be reached (\(error.description.shown)).",
                    "Until it can, the fallback of each service decides.")
            }
        }
    }
}

extension PAMCheck.Files {
    /// The files of this host.
    fileprivate static var ofThisHost: PAMCheck.Files {
        let libraries = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
        let folders = libraries.flatMap { library in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
            return ["\(library)/security"] + names.filter { $0.contains("-linux-") }.map { "\(library)/\($0)/security" }
        }
        let includes = (try? FileManager.default.contentsOfDirectory(atPath: "/etc/ssh/sshd_config.d")) ?? []
        return PAMCheck.Files(
            text: { try? String(contentsOfFile: $0, encoding: .utf8) },
            modules: folders.map { "\($0)/pam_countersign.so" }.filter { FileStatus(following: $0) != nil },
            includes: includes.filter { $0.hasSuffix(".conf") }.sorted().map { "/etc/ssh/sshd_config.d/\($0)" })
    }
}
