internal import HTTPTypes

/// The memory of one connection and its requests in the ``MemoryShare`` of the server.
///
/// It counts for the network of the client. A connection of a proxy that the operator named counts for none and never
/// gives way; the memory of its requests beyond ``MemoryCost/grain`` counts for the client that the proxy names.
final class ConnectionMemory {
    private let share: MemoryShare
    private let addresses: ClientAddressResolver
    /// The bytes of the connection itself.
    private let own: Int
    private var connection: MemoryShare.Holding?
    /// The memory of the requests of a client behind a proxy.
    private var proxied: MemoryShare.Holding?
    private var peer: String?
    private var isProxy = false
    /// The client that a proxy named last; `nil` before its first request.
    private var forwardedFor: [String]?
    private var giveWay: (@Sendable () -> Void)?
    private var requests = RequestBytes()
    /// The bytes that count for requests.
    private var counted = 0

    init(in share: MemoryShare, resolving addresses: ClientAddressResolver, isEncrypted: Bool) {
        self.share = share
        self.addresses = addresses
        own = MemoryCost.connection + (isEncrypted ? MemoryCost.encryption : 0)
    }

    /// Counts a new connection, which `givingWay` closes; returns `false` when there is no room for it.
    func open(from peer: String?, givingWay: @escaping @Sendable () -> Void) -> Bool {
        self.peer = peer
        isProxy = addresses.isProxy(peer)
        giveWay = givingWay
        connection = share.enter(
            own,
            as: .idle,
            of: isProxy ? nil : CountedAddress.text(of: peer),
            givingWay: isProxy ? nil : givingWay
        )
        return connection != nil
    }

    /// Frees all memory; later calls do nothing.
    func close() {
        if let connection { share.leave(connection) }
        if let proxied { share.leave(proxied) }
        connection = nil
        proxied = nil
        giveWay = nil
    }

    /// Counts bytes that arrived, before they are parsed.
    func receive(_ bytes: Int) { requests.receive(bytes) }

    /// Notes the head of a request.
    func beginRequest(_ head: HTTPRequest) {
        if isProxy { forwardedFor = head.headerFields[values: .xForwardedFor] }
    }

    /// Notes that a request was received whole.
    func finishRequest() { requests.finishRequest() }

    /// Notes that one of `open` requests was answered.
    func finishAnswer(of open: Int) { requests.finishAnswer(of: open) }

    /// Notes whether a request is being answered.
    func note(isBusy: Bool) {
        if let connection { share.note(connection, isBusy: isBusy) }
    }

    /// Counts the memory of the requests; returns `false` when there is no room for it.
    ///
    /// - Parameters:
    ///   - open: The number of requests that have begun and are not answered.
    ///   - isRead: Whether the client reads its answers.
    func count(open: Int, isRead: Bool) -> Bool {
        var bytes = requests.memory(open: open) + (isRead ? 0 : MemoryCost.unreadAnswers)
        if bytes < MemoryCost.grain { bytes = 0 }
        guard abs(bytes - counted) >= MemoryCost.grain, let connection else { return true }
        let hasRoom: Bool
        if isProxy {
            hasRoom = countForClient(bytes)
        } else {
            hasRoom = share.resize(connection, to: own + bytes, as: bytes == 0 ? .idle : .unfinished)
        }
        if hasRoom { counted = bytes }
        return hasRoom
    }

    private func countForClient(_ bytes: Int) -> Bool {
        if let proxied {
            guard bytes == 0 else { return share.resize(proxied, to: bytes, as: .unfinished) }
            share.leave(proxied)
            self.proxied = nil
            return true
        }
        let network = forwardedFor.map { CountedAddress.text(of: addresses.client(of: peer, forwardedFor: $0)) }
        proxied = share.enter(bytes, as: .unfinished, of: network, givingWay: giveWay)
        return proxied != nil
    }
}
