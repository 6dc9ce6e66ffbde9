internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import Foundation

extension CredentialCommand {
    /// `countersign credential git`
    struct Git: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer git as a credential helper.",
            discussion: """
                git calls it as git-credential-countersign. A host that gets no tokens is answered with nothing, so that git \
                goes on to its other helpers. GIT_TERMINAL_PROMPT=0 keeps it from the terminal; credential.interactive=false \
                lets nobody be asked.

                    git config --global credential.https://git.example.com.helper countersign
                """)

        @OptionGroup var options: CredentialOptions

        @Argument(help: "The operation: get, store, erase or capability; others do nothing.")
        var operation: String

        func run() async throws {
            try await ending {
                guard operation != "capability" else { return Terminal.write(GitCredential.capabilities) }
                // Read in any case: git may still be writing.
                let bytes = try StandardInput.shared.allBytes(endingAtEmptyLine: true)
                guard let asked = GitCredential(bytes),
                    let host = try await options.storage.store().credentialHost(at: asked.origin)
                else { return }
                switch operation {
                case "get": try await untilInterrupted { try await answer(asked, of: host) }
                case "erase":
                    guard let refused = asked.presented else { return }
                    try await options.storage.store().expire(AccessToken(revealing: refused), for: try host.key())
                // An accepted token is kept already.
                default: break
                }
            }
        }

        private func answer(_ asked: GitCredential, of host: CredentialHost) async throws {
            do {
                let source = try await CredentialSource(of: host, options: options, using: Self.interaction)
                let token = try await source.token(.access, insteadOf: asked.answered)
                let username = host.username ?? asked.username ?? CredentialHost.usualUsername
                Terminal.write(asked.answer(token, username: username))
            } catch {
                Terminal.write(GitCredential.refusal)
                throw error
            }
        }

        private static var interaction: HelperInteraction {
            HelperInteraction(git: ProcessInfo.processInfo.environment) { HelperInteraction.configuredForGit() }
        }
    }
}
