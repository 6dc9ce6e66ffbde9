internal import ArgumentParser
internal import Countersign
internal import CountersignRequester

/// An account of this system, as its owner sees it.
struct AccountEntry: Sendable {
    let account: SystemAccount
    let isOfDesktop: Bool
    let isSignedOut: Bool
    let isTemporary: Bool

    init(_ account: SystemAccount, isOfDesktop: Bool = false, isSignedOut: Bool = false, isTemporary: Bool = false) {
        self.account = account
        self.isOfDesktop = isOfDesktop
        self.isSignedOut = isSignedOut
        self.isTemporary = isTemporary
    }

    fileprivate var line: String {
        let name = "\(account.provider.rawValue.shown)  \(account.name.shown)"
        guard isOfDesktop else { return name }
        let state = isSignedOut ? ", signed out" : isTemporary ? ", for this session" : ""
        return "\(name)  (of the desktop\(state))"
    }
}

extension AccountProviderID {
    /// The sentence for accounts that the desktop has and no app can sign in with.
    ///
    /// Their tokens were issued to the desktop's own registration, for mail and files, and prove nothing to an app.
    var noSignInSentence: String {
        """
        This command does not sign in with accounts of \(rawValue.shown) that the desktop holds: their tokens were made for \
        the desktop, and no app is known there.
        """
    }
}

extension AccountCommand {
    /// `countersign account list`
    struct List: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the accounts, and the apps that have asked.",
            discussion: "On a desktop with GNOME Online Accounts, those of its settings stand below the others.")

        @OptionGroup var storage: AccountStoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func output() async throws -> CommandOutput {
            let accounts = storage.accounts()
            let list = AccountList(
                own: try await accounts.accounts().map { AccountEntry($0) },
                desktop: await desktop(),
                known: Set(try await accounts.providers()),
                apps: try await accounts.apps(),
                permissions: try await accounts.permissions()
            )
            return CommandOutput(list.members, list.lines.joined(separator: "\n"))
        }

        private func desktop() async -> Result<[AccountEntry], SystemAccountStoreError> {
            do throws(SystemAccountStoreError) {
                return .success(try await storage.accountsOfDesktop())
            } catch {
                return .failure(error)
            }
        }
    }
}

/// All that `account list` shows.
private struct AccountList {
    let own: [AccountEntry]
    let desktop: Result<[AccountEntry], SystemAccountStoreError>
    /// The providers whose accounts this command signs in with.
    let known: Set<AccountProviderID>
    let apps: [SystemAccountApp]
    let permissions: [SystemAccountPermission]

    private var all: [AccountEntry] { own + ((try? desktop.get()) ?? []) }

    private var problem: String? {
        guard case .failure(let error) = desktop else { return nil }
        return "The accounts of the desktop cannot be read: \(error.reason)."
    }

    /// The providers of the accounts that no app can sign in with, in their order.
    private var unknown: [AccountProviderID] {
        all.map(\.account.provider).reduce(into: []) { if !known.contains($1), !$0.contains($1) { $0.append($1) } }
    }

    var lines: [String] {
        var lines = all.map(\.line) + (problem.map { [$0] } ?? [])
        if lines.isEmpty { lines.append("No accounts yet.") }
        lines += unknown.map(\.noSignInSentence)
        lines += apps.map { "This command is \($0.client.rawValue.shown) at \($0.provider.rawValue.shown)" }
        lines += permissions.map { permission in
            let answer = permission.isAllowed ? "may use" : "may not use"
            return "\(permission.app.rawValue.shown) \(answer) \(permission.provider.rawValue.shown)"
        }
        return lines
    }

    var members: OutputMembers {
        [
            "accounts": all.map { listed -> OutputMembers in
                [
                    "provider": listed.account.provider.rawValue, "name": listed.account.name,
                    "id": listed.account.id.rawValue, "desktop": listed.isOfDesktop,
                    "signed_out": listed.isSignedOut, "temporary": listed.isTemporary,
                    "signs_in": known.contains(listed.account.provider),
                ]
            },
            "apps": apps.map { ["provider": $0.provider.rawValue, "client": $0.client.rawValue] },
            "permissions": permissions.map { permission -> OutputMembers in
                [
                    "app": permission.app.rawValue, "provider": permission.provider.rawValue,
                    "allowed": permission.isAllowed, "permissions": permission.permissions,
                ]
            },
            "problem": problem,
        ]
    }
}
