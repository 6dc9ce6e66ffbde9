internal import NIOConcurrencyHelpers

/// The memory for connections and requests of one server, shared among its clients' networks by ``FairShare``.
///
/// When it is used up, holdings of the network with most of it give way: a connection is closed, a request that is held
/// open is answered. So a flood from some networks takes room from itself, and others are still served.
package final class MemoryShare: Sendable {
    /// A holder of memory: a connection, or a request.
    final class Holding: Sendable, Hashable {
        private struct Conduct: Sendable {
            /// Whether a request is being answered, so that the holding stays.
            var isBusy = false
            /// Whether a request was answered since it was last asked to give way.
            var isRecent = false
            /// Whether it was asked while it was busy, and is not asked again before that ends.
            var isSpared = false
        }

        private let conduct = NIOLockedValueBox(Conduct())
        /// `nil` for a holding that never gives way.
        fileprivate let giveWay: (@Sendable () -> Void)?

        fileprivate init(givingWay: (@Sendable () -> Void)?) {
            giveWay = givingWay
        }

        /// Notes whether a request is being answered, and returns whether it was spared until now.
        fileprivate func note(isBusy: Bool) -> Bool {
            conduct.withLockedValue { conduct in
                conduct.isBusy = isBusy
                conduct.isRecent = true
                guard !isBusy, conduct.isSpared else { return false }
                conduct.isSpared = false
                return true
            }
        }

        fileprivate func consent() -> FairShare<Party, Holding>.Consent {
            guard giveWay != nil else { return .notNow }
            return conduct.withLockedValue { conduct in
                if conduct.isBusy {
                    conduct.isSpared = true
                    return .notNow
                }
                defer { conduct.isRecent = false }
                return conduct.isRecent ? .later : .givesWay
            }
        }

        static func == (left: Holding, right: Holding) -> Bool { left === right }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    fileprivate enum Party: Sendable, Hashable {
        case network(String)
        /// A connection of a proxy, which carries requests of many networks.
        case alone(ObjectIdentifier)
    }

    private let share: NIOLockedValueBox<FairShare<Party, Holding>>

    /// The bytes that make a difference between two networks: a connection or two make none.
    private static let step = 65_536

    /// Creates a share of `room` bytes.
    package init(room: Int) {
        share = NIOLockedValueBox(FairShare(capacity: room, step: Self.step, equalsGiveWay: true))
    }

    /// The bytes in use.
    var held: Int { share.withLockedValue { $0.held } }

    /// The number of holdings.
    var count: Int { share.withLockedValue { $0.count } }

    /// Takes memory for a connection or a request; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes that it takes.
    ///   - network: The client's network, by ``CountedAddress/text(of:)``; `nil` for a connection of a proxy.
    ///   - givingWay: Called once, without a lock, when the holding gave way; `nil` for one that never does.
    func enter(
        _ bytes: Int,
        as kind: HoldingKind,
        of network: String?,
        givingWay: (@Sendable () -> Void)?
    ) -> Holding? {
        let holding = Holding(givingWay: givingWay)
        let party = network.map(Party.network) ?? .alone(ObjectIdentifier(holding))
        let admission = share.withLockedValue { share in
            share.admit(holding, of: party, kind, taking: bytes) { $0.consent() }
        }
        for other in admission.givingWay { other.giveWay?() }
        return admission.isAdmitted ? holding : nil
    }

    /// Changes the size of a holding; returns `false` when there is no room for more, or it gave way before.
    func resize(_ holding: Holding, to bytes: Int, as kind: HoldingKind) -> Bool {
        let admission = share.withLockedValue { share in
            share.resize(holding, to: bytes, kind) { $0.consent() }
        }
        for other in admission.givingWay { other.giveWay?() }
        return admission.isAdmitted
    }

    /// Notes whether a request is being answered on a connection, which then does not give way.
    func note(_ holding: Holding, isBusy: Bool) {
        guard holding.note(isBusy: isBusy) else { return }
        share.withLockedValue { $0.restore(holding) }
    }

    /// Frees a holding, unless it gave way before.
    func leave(_ holding: Holding) {
        share.withLockedValue { $0.release(holding) }
    }
}
