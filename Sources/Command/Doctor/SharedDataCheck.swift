internal import Countersign
internal import Foundation

#if PostgreSQL
internal import CountersignPostgres
internal import CountersignServer
#endif

/// Checks a shared database: whether it can be reached and written, and its contents.
struct SharedDataCheck {
    private let url: String
    private let requiredGroups: [ScopeWord: GroupName]
    private let now: Date

    private static let subject = "database"

    init(_ url: String, requiring groups: [ScopeWord: GroupName], at now: Date) {
        self.url = url
        requiredGroups = groups
        self.now = now
    }

    var findings: [Finding] {
        do {
            try StoreOptions.requirePostgreSQL(for: url)
            #if PostgreSQL
            return findings(of: try PostgresInspection.of(url))
            #else
            return []
            #endif
        } catch {
            return [.problem(Self.subject, "\(error)", "Until then the server does not start.")]
        }
    }

    #if PostgreSQL
    func findings(of inspection: PostgresInspection) -> [Finding] {
        durability(inspection) + clock(inspection) + tables(inspection)
    }

    private func tables(_ inspection: PostgresInspection) -> [Finding] {
        if let writeProblem = inspection.writeProblem { return [finding(writeProblem, at: inspection.database)] }
        let (subject, database) = (Self.subject, inspection.database)
        switch inspection.tables {
        case .none:
            return [.notice(subject, "\(database) has no tables yet.", "The first start makes them.")]
        case .older:
            return [
                .problem(
                    subject,
                    "\(database) has the tables of an older version.",
                    "Make a backup, then run countersign admin migrate; nodes of that version may go on meanwhile."
                )
            ]
        case .newer:
            return [
                .problem(
                    subject,
                    "A newer version made the tables of \(database).",
                    "Use that version, or a backup from before."
                )
            ]
        case .expanded:
            let advice = "Nodes of this version go on; replace them when you can."
            return [.notice(subject, "A newer version added to the tables of \(database).", advice)]
                + contents(inspection)
        case .current:
            return contents(inspection)
        }
    }

    private func contents(_ inspection: PostgresInspection) -> [Finding] {
        [.fine(Self.subject, "\(inspection.database), with \(inspection.clients.count) clients")]
            + ContentsCheck(
                clients: inspection.clients, keys: inspection.keys, groups: inspection.groups,
                requiredGroups: requiredGroups, now: now
            ).findings
    }

    private func finding(_ writeProblem: PostgresInspection.WriteProblem, at database: String) -> Finding {
        switch writeProblem {
        case .isStandby:
            .problem(
                Self.subject,
                "\(database) is a standby, which takes no changes.",
                "Name the primary. Several hosts may stand in the URL, and the primary among them is found."
            )
        case .isReadOnly:
            .problem(
                Self.subject,
                "\(database) takes no changes: default_transaction_read_only is on.",
                "Turn it off for this database and this role."
            )
        case .mayNotMakeTables(let schema, let role):
            .problem(
                Self.subject,
                "\(role) may not make tables in the schema \(schema) of \(database).",
                "Make \(role) the owner of the database, or GRANT CREATE ON SCHEMA \(schema) TO \(role)."
            )
        case .mayNotWrite(let tables, let role):
            .problem(
                Self.subject,
                "\(role) may not write the tables \(tables.joined(separator: ", ")) of \(database).",
                "Make \(role) their owner, or grant it ALL on them."
            )
        }
    }

    /// Whether committed changes survive a crash.
    private func durability(_ inspection: PostgresInspection) -> [Finding] {
        var findings: [Finding] = []
        if !inspection.waitsForDisk {
            findings.append(
                .problem(
                    Self.subject,
                    "fsync is off: when its machine crashes, answered changes are lost and the database may be damaged.",
                    "Turn fsync on in its postgresql.conf."
                )
            )
        }
        if !inspection.commitsWaitByDefault {
            findings.append(
                .notice(
                    Self.subject,
                    "synchronous_commit is off.",
                    "Nothing need be done: this server turns it on for its own commits."
                )
            )
        }
        return findings
    }

    private func clock(_ inspection: PostgresInspection) -> [Finding] {
        guard abs(inspection.clock.timeIntervalSince(now)) > DatabaseClock.tolerance else { return [] }
        return [
            .problem(
                "clock",
                "It is \(inspection.clock.formatted(.iso8601)) there and \(now.formatted(.iso8601)) here.",
                "Set both clocks right: tokens and codes live by them, and until then the server removes nothing."
            )
        ]
    }
    #endif
}
