internal import Countersign
internal import CountersignWire

extension DeviceCodeGrant {
    /// Closes a request that was approved over another link: the screen that polls is not the one that was approved.
    @inline(never)
    func close(
        _ presented: Presented,
        of client: ClientID,
        in dialect: TokenDialect
    ) async throws -> DeviceCodeRefused {
        let now = clock.now()
        return try await store.change { repositories in
            let again = try look(presented, of: client, speaking: dialect, in: repositories)
            switch (again.redemption, again.stored) {
            case (.otherLink, let stored?):
                try repositories.exchanges.update(stored)
                try repositories.record(
                    AuditEntry.Facts(
                        at: now,
                        .otherLink,
                        by: .client,
                        subject: stored.exchange.decider,
                        client: client,
                        request: stored.id,
                        address: stored.exchange.request.address?.value,
                        detail: "named \(presented.links.map(\.description).sorted().joined(separator: " "))"
                    )
                )
                return DeviceCodeRefused(.denied, because: "approved over a link that the screen does not name")
            case (.refused(let refused), _):
                return refused
            default:
                throw Contradiction()
            }
        }
    }
}
