/// How much the networks of one request have done of late, which decides whether they are served when all together have
/// reached a limit that they share.
///
/// Then only those are refused that did more than ``Limit/whenShared``: a flood takes away its own share, and not that of
/// clients that behave. Twice the shared limit is the end for everybody.
struct NetworkShare {
    private var isSeen = false
    private var isSmall = true

    /// Notes a count of one of the networks, from the smallest to the largest.
    mutating func note(_ times: Int, of limit: Limit) {
        isSeen = true
        if times > limit.whenShared { isSmall = false }
    }

    /// Whether a request beyond a limit is let through all the same.
    func admits(_ times: Int, to key: RateLimitKey, _ limit: Limit) -> Bool {
        key.isShared && isSeen && isSmall && times <= limit.most.multipliedReportingOverflow(by: 2).partialValue
    }
}
