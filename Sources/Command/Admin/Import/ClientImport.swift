internal import Countersign
internal import CountersignServer
internal import Foundation

/// Registers the clients of another system, all in one change. Clients that are there stay as they are.
struct ClientImport: Sendable {
    /// Whether nothing is stored.
    let isDry: Bool
    let time: TimeSource
    let mint: CodeMint

    /// The result of one client.
    enum Outcome: Sendable {
        /// It was registered, with this secret if it is confidential.
        case added(Client, secret: ClientSecret?, notes: [String])
        case isThere(ClientID)
        case isKeycloaks(ClientID)
        case refused(String?, ImportLineError)
    }

    /// Stores all clients as one change, so that the report has each secret that is stored.
    ///
    /// - Throws: Errors of the store.
    func run(_ foreign: ForeignClients, in store: any Store) async throws -> ClientImportReport {
        let named = foreign.entries.compactMap { entry in (try? entry.client.get()).map { ClientID($0.clientId) } }
        var taken = try await store.read { repositories in
            Set(try named.filter { try repositories.clients.find($0) != nil })
        }
        let outcomes = foreign.entries.map { place, entry in (place, outcome(of: entry, unlessIn: &taken)) }
        let clients = outcomes.compactMap { if case .added(let client, _, _) = $1 { client } else { nil } }
        let added = isDry ? Set(clients.map(\.id)) : try await store.clients.addMissing(clients)
        var report = ClientImportReport(isDry: isDry)
        for (place, outcome) in outcomes {
            if case .added(let client, _, _) = outcome, !added.contains(client.id) {
                // Another process has added one meanwhile.
                report.add(.isThere(client.id), place: place)
            } else {
                report.add(outcome, place: place)
            }
        }
        return report
    }

    /// The outcome of an entry once its client is stored, whose identifier is taken from then on.
    private func outcome(
        of entry: Result<any ForeignClient, ImportLineError>, unlessIn taken: inout Set<ClientID>
    ) -> Outcome {
        let imported: any ForeignClient
        switch entry {
        case .success(let client): imported = client
        case .failure(let error): return .refused(nil, error)
        }
        let id = ClientID(imported.clientId)
        guard !imported.isOwn else { return .isKeycloaks(id) }
        guard !taken.contains(id) else { return .isThere(id) }
        let secret: ClientSecret = mint.secret()
        do throws(ImportLineError) {
            let made = try imported.registration(holding: secret.digest, at: time.now())
            if let objection = ClientRegistry.objection(to: made.client) { throw ImportLineError(objection) }
            taken.insert(id)
            let isConfidential = made.client.kind != .public
            return .added(made.client, secret: isConfidential && !isDry ? secret : nil, notes: made.notes)
        } catch {
            return .refused(imported.clientId, error)
        }
    }
}

/// The report of an import of clients.
struct ClientImportReport {
    let isDry: Bool
    private var outcomes: [(place: Int, outcome: ClientImport.Outcome)] = []

    init(isDry: Bool) { self.isDry = isDry }

    mutating func add(_ outcome: ClientImport.Outcome, place: Int) { outcomes.append((place, outcome)) }

    var output: CommandOutput {
        let refused = outcomes.count(where: { if case .refused = $0.outcome { true } else { false } })
        return CommandOutput(
            members, words,
            endingBy: refused == 0
                ? nil : CommandError("\(refused) \(refused == 1 ? "client" : "clients") refused."))
    }

    private var members: OutputMembers {
        var added: [OutputMembers] = []
        var there: [String] = []
        var skipped: [String] = []
        var refused: [OutputMembers] = []
        for (place, outcome) in outcomes {
            switch outcome {
            case .added(let client, let secret, let notes):
                added.append(
                    client.members.adding(Client.secretMember, secret?.revealed)
                        .adding("notes", notes.isEmpty ? nil : notes))
            case .isThere(let id): there.append(id.rawValue)
            case .isKeycloaks(let id): skipped.append(id.rawValue)
            case .refused(let id, let error):
                refused.append(["entry": place, "client_id": id, "reason": error.reason])
            }
        }
        return ["dry_run": isDry, "added": added, "unchanged": there, "skipped": skipped, "refused": refused]
    }

    private var words: String {
        var lines: [String] = []
        var (added, there, skipped) = (0, 0, 0)
        for (place, outcome) in outcomes {
            switch outcome {
            case .added(let client, let secret, let notes):
                added += 1
                lines += notes.map { "\(client.id): \($0)" }
                if let secret {
                    lines.append("\(client.id): its secret, which is shown only now: \(secret.revealed)")
                }
            case .isThere: there += 1
            case .isKeycloaks: skipped += 1
            case .refused(let id, let error):
                lines.append("Entry \(place)\(id.map { " (\($0.brief))" } ?? ""): \(error.reason)")
            }
        }
        lines.append("Clients: \(added) \(isDry ? "to be added" : "added"), \(there) there already.")
        if skipped > 0 { lines.append("Left out as parts of Keycloak: \(skipped).") }
        if isDry { lines.append("Nothing was stored.") }
        return lines.joined(separator: "\n")
    }
}
