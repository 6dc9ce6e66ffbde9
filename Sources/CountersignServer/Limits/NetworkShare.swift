/// How much the networks of one request have done of late, which decides whether they are served when all together have
/// reached a limit that they share.
///
/// Then only those are served that did no more than ``Limit/share(of:)``: a flood takes away its own share, and not that
/// of clients that behave. From one and a half times the shared limit on only networks are served in which people were given
/// tokens of late, since a flood may come from many networks that are new. Twice the shared limit is the end for everybody.
struct NetworkShare {
    private var counts: [(times: Int, limit: Limit)] = []
    /// Whether people were given tokens in that network of late.
    private let isKnown: () -> Bool

    init(isKnown: @escaping () -> Bool) {
        self.isKnown = isKnown
    }

    /// Notes a count of one of the networks.
    mutating func note(_ times: Int, of limit: Limit) {
        counts.append((times, limit))
    }

    /// Whether a request beyond a limit is let through all the same.
    func admits(_ times: Int, to key: RateLimitKey, _ shared: Limit) -> Bool {
        key.isShared && !counts.isEmpty && counts.allSatisfy { $0.times <= $0.limit.share(of: shared) }
            && times <= shared.most.addingReportingOverflow(isKnown() ? shared.most : shared.most / 2).partialValue
    }
}
