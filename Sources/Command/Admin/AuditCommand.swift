internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin audit`: what happened, in order.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Read what happened, and verify that it was not changed.",
        discussion: """
            Each entry holds the hash of the one before, so an entry that was changed, removed or moved is found.
            Note the number and hash that verify prints somewhere else: with them a later verify also finds out \
            whether the whole audit was written anew, or cut. The server logs them, signed, when it starts, once an \
            hour and when it stops.
            """,
        subcommands: [List.self, Verify.self, Seal.self]
    )

    /// `countersign admin audit list`
    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "List the last entries, the latest at the end.",
            discussion: """
                Examples:
                  countersign admin audit list --person anna --last 20
                  countersign admin audit list --act person.locked
                  countersign admin audit list --act client --after 1041
                """
        )

        @OptionGroup var admin: AdminOptions

        @Option(help: "How many, from 1 to 100000.")
        var last = 100

        @Option(help: "The entries after this number instead, oldest first.")
        var after: Int?

        @Option(
            help: ArgumentHelp(
                "Only about this person: their user name, e-mail address or subject.", valueName: "name"))
        var person: String?

        @Option(help: ArgumentHelp("Only of this act; the beginning of its name is enough.", valueName: "name"))
        var act: String?

        func output() async throws -> CommandOutput {
            _ = try number(last, for: "--last", in: 1...100_000)
            let prefix = try prefix
            let entries = try await admin.read { [last, after, person] repositories in
                let subject = try person.map { typed in
                    try AuditFilter.subject(typed, in: repositories).or(failure: "There is nobody called \(typed).")
                }
                let filter = AuditFilter(actPrefix: prefix, subject: subject)
                guard let after else {
                    return Array(try filter.entries(before: .max, limit: last, in: repositories).found.reversed())
                }
                return try filter.entries(after: after, limit: last, in: repositories)
            }
            return AuditEntry.output(entries)
        }

        /// The beginning of the names of the acts that are listed.
        ///
        /// - Throws: a ``CommandError`` when no act begins so.
        private var prefix: String {
            get throws {
                guard let act else { return "" }
                let acts = AuditAct.all.map(\.rawValue)
                guard !acts.contains(where: { $0.hasPrefix(act) }) else { return act }
                let subjects = acts.compactMap { $0.split(separator: ".").first.map(String.init) }
                throw Suggestion(from: acts + subjects).refusal("There is no act \(act).", of: act)
            }
        }
    }

    /// `countersign admin audit verify`
    struct Verify: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Make sure that no entry was changed, removed or moved.",
            discussion: """
                Ends with status 1 and says where when the audit is not sound. A head that the server signed also \
                tells whether entries were removed before their time (audit-lifetime) was over.

                Example, with a place that an earlier call printed:
                  countersign admin audit verify --noted 1041:5f0c…
                With a head that the server logged as "sealed":
                  countersign admin audit verify --head eyJhbGci…
                """
        )

        @OptionGroup var admin: AdminOptions

        @Option(help: ArgumentHelp("An entry as it was once: its number and hash.", valueName: "number:hash"))
        var noted: [String] = []

        @Option(
            help: ArgumentHelp("Where the audit ended once, as the server signed and logged it.", valueName: "sealed"))
        var head: [String] = []

        @Option(help: ArgumentHelp("How long an entry is kept, in days. (default: as for serve)", valueName: "days"))
        var auditLifetime: Int?

        @OptionGroup var key: AuditKeyOptions

        func output() async throws -> CommandOutput {
            let verifier = try head.isEmpty ? nil : key.file(admin.storage).verifier()
            let sealed = try head.compactMap { text in try verifier.map { try $0.noted(text) } }
            let places = try noted.map(AuditHeadNote.init(parsing:))
            let flags = auditLifetime.map { ["audit-lifetime": String($0)] } ?? [:]
            let lifetime = try admin.storage.settings(flags).auditLifetime()
            let now = TimeSource.system.now()
            do {
                let (end, first) = try await admin.read { repositories in
                    let end = try Audit(repositories).verify()
                    let anchor = try repositories.audit.anchor()
                    for head in sealed {
                        try head.verify(beginningAfter: anchor, keptFor: lifetime, at: now)
                        // One whose entry was rightly swept cannot be compared any more.
                        guard head.number >= anchor.number else { continue }
                        try AuditHeadNote(head).compare(in: repositories)
                    }
                    for place in places { try place.compare(in: repositories) }
                    return (end, anchor.number + 1)
                }
                return CommandOutput(end.members(from: first), end.sentence(from: first))
            } catch let broken as AuditError {
                throw CommandError("The audit is not sound. \(broken)")
            }
        }
    }
}

/// The file with the key of sealed heads.
struct AuditKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of the server's sealed heads, or its public half, as PEM. (default: as for serve)",
            valueName: "file"))
    var key: String?

    func file(_ storage: StoreOptions) throws -> AuditKeyFile {
        if let key { return AuditKeyFile(path: key) }
        return try AuditKeyFile(try storage.settings()).or(
            usage: "A shared database has no key of its own: name the file with --key.")
    }
}

extension AuditCommand {
    /// `countersign admin audit seal`
    struct Seal: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Sign where the audit begins and ends now, to be kept elsewhere.",
            discussion: "It is what the server logs once an hour. With --public it prints the public key instead."
        )

        @OptionGroup var admin: AdminOptions

        @OptionGroup var key: AuditKeyOptions

        @Flag(name: .customLong("public"), help: "Print the public key, by which others verify.")
        var showsPublicKey = false

        func output() async throws -> CommandOutput {
            let file = try key.file(admin.storage)
            try file.requireReadableByOwner()
            let now = TimeSource.system.now()
            let sealKey = try await sealKey(in: file, at: now)
            guard !showsPublicKey else { return CommandOutput(words: sealKey.publicPEM) }
            let extent = try await admin.read { try Audit($0).extent(at: now) }
            guard extent.head != .beginning else { throw CommandError("Nothing has happened yet.") }
            let sealed = try sealKey.seal(extent, at: now)
            return CommandOutput(extent.head.members(from: extent.first, sealed: sealed), sealed)
        }

        /// The key in the file. One that has to be made is written into the audit as a server does it.
        private func sealKey(in file: AuditKeyFile, at now: Date) async throws -> AuditSealKey {
            if let existing = try file.existing() { return existing }
            let made = try await admin.withStore { store in
                try await file.key(sealing: store, for: .operator, at: now)
            }
            if made.isAnother { Terminal.complain(AuditKeyFile.anotherKeyWords) }
            return made.key
        }
    }
}

/// The place of an entry as it was noted.
struct AuditHeadNote: Sendable {
    let number: Int
    let hash: String

    init(_ head: AuditSealKey.SealedHead) {
        number = head.number
        hash = head.hash
    }

    init(parsing text: String) throws {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let number = Int(parts[0]), number > 0, parts[1].count == 64 else {
            throw CommandError.usage("\(text) is no place in the audit: it needs a number, a colon and 64 digits.")
        }
        self.number = number
        hash = parts[1].lowercased()
    }

    /// Checks that the entry is still the same.
    func compare(in repositories: any Repositories) throws {
        let anchor = try repositories.audit.anchor()
        guard number >= anchor.number else {
            throw CommandError(
                "Entry \(number) is gone, and cannot be compared: the audit begins after entry \(anchor.number). "
                    + "It was swept when its time was over, or it was removed."
            )
        }
        let place =
            number == anchor.number
            ? anchor : try repositories.audit.entries(after: number - 1, limit: 1).first { $0.number == number }?.place
        guard let place else { throw AuditError.missing(number) }
        guard "\(place.hash)" == hash else { throw AuditError.changed(number) }
    }
}

extension AuditSealKey.Verifier {
    /// A head that the server signed, as it was noted.
    fileprivate func noted(_ text: String) throws -> AuditSealKey.SealedHead {
        return try (try? self.head(in: text)).or(
            failure: "This head was not signed by the key of the audit, or not all of it is here: \(text)")
    }
}

extension AuditEntry: ListableNoun {
    static let none = "No entries."

    static var columns: Columns<Self> {
        [
            "number": { "\($0.number)" }, "time": { $0.facts.at.formatted(.iso8601) }, "act": \.facts.act.rawValue,
            "by": \.facts.by.rawValue, "subject": \.facts.subject?.rawValue, "client": \.facts.client?.rawValue,
            "address": \.facts.address, "request": \.facts.request?.rawValue, "detail": \.facts.detail,
        ]
    }

    var members: OutputMembers {
        [
            "number": number, "at": facts.at, "act": facts.act.rawValue, "by": facts.by.rawValue,
            "subject": facts.subject?.rawValue, "client": facts.client?.rawValue, "request": facts.request?.rawValue,
            "address": facts.address, "detail": facts.detail, "hash": "\(hash)",
        ]
    }
}

extension AuditPosition {
    /// The end of an audit that begins with the entry `first`, as JSON.
    fileprivate func members(from first: Int, sealed: String? = nil) -> OutputMembers {
        ["first": first, "number": number, "hash": "\(hash)", "sealed": sealed]
    }

    /// The result of a verification.
    fileprivate func sentence(from first: Int) -> String {
        guard number > 0 else { return "Nothing has happened yet." }
        guard first <= number else { return "The audit is sound; its entries were removed up to \(number):\(hash)" }
        let end = "sound up to \(number):\(hash)"
        return first == 1 ? "The audit is \(end)" : "The audit begins with entry \(first), and is \(end)"
    }
}

extension AuditEntry.Facts {
    /// The facts of an act of the operator on a person.
    static func `operator`(_ now: Date, _ act: AuditAct, subject: Subject? = nil, detail: String? = nil) -> Self {
        Self(at: now, act, by: .operator, subject: subject, detail: detail)
    }
}
