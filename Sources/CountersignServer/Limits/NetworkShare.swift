/// How many requests the networks of one request have made recently. Decides whether the request passes when a shared
/// limit is reached.
///
/// Then a request passes only if its networks made no more requests than ``Limit/share(of:)``, so a flood uses up its
/// own share and not that of clients that behave. From one and a half times the shared limit on, only networks pass in
/// which people recently received tokens, because a flood may come from many new networks. At twice the shared limit
/// every request is refused.
struct NetworkShare {
    private var counts: [(times: Int, limit: Limit)] = []
    /// Whether people recently received tokens in that network.
    private let isKnown: () -> Bool

    init(isKnown: @escaping () -> Bool) {
        self.isKnown = isKnown
    }

    /// Adds the count of one of the networks.
    mutating func note(_ times: Int, of limit: Limit) {
        counts.append((times, limit))
    }

    /// Whether a request beyond the shared limit passes nevertheless.
    func admits(_ times: Int, to key: RateLimitKey, _ shared: Limit) -> Bool {
        key.isShared && !counts.isEmpty && counts.allSatisfy { $0.times <= $0.limit.share(of: shared) }
            && times <= shared.most.addingReportingOverflow(isKnown() ? shared.most : shared.most / 2).partialValue
    }
}
