internal import FoundationEssentialsCompat

/// The stored form of a pairing, including its secret key.
struct PairingRecord: Codable {
    let app: String
    let role: String
    let ownKey: String
    let peerKey: String
    let peerName: String
    let account: String?
    let made: Double
    let lastUsed: Double
    let hosts: [String]?

    init(_ pairing: Pairing) {
        app = pairing.app.rawValue
        role = pairing.role.rawValue
        ownKey = URLSafeText.encode(pairing.own.revealedSecret)
        peerKey = URLSafeText.encode(pairing.peer.bytes)
        peerName = pairing.peerName.asSaid
        account = pairing.account
        made = pairing.made.timeIntervalSince1970
        lastUsed = pairing.lastUsed.timeIntervalSince1970
        hosts = pairing.hosts.isEmpty ? nil : pairing.hosts
    }

    var pairing: Pairing? {
        guard let app = NearbyAppID(app), let role = Pairing.Role(rawValue: role),
            let own = URLSafeText.decode(ownKey).flatMap({ LinkKeyPair(secret: $0) }),
            let peer = URLSafeText.decode(peerKey).flatMap({ LinkPublicKey($0) }),
            let name = PeerName(peerName)
        else { return nil }
        return Pairing(
            app: app, role: role, own: own, peer: peer, peerName: name, account: account,
            made: Date(timeIntervalSince1970: made), lastUsed: Date(timeIntervalSince1970: lastUsed),
            hosts: hosts ?? [])
    }
}

/// The stored form of a ``PairingBook``.
private struct PairingBookRecord: Codable {
    let pairings: [PairingRecord]
    /// Seconds since 1970, by the id of the app.
    let closedUntil: [String: Double]
}

extension PairingBook {
    /// Reads what ``written`` wrote.
    init(parsing bytes: [UInt8]) throws(PairingStoreError) {
        guard let record = try? JSONDecoder().decode(PairingBookRecord.self, from: Data(bytes)) else {
            throw PairingStoreError(.damaged, because: "the file of pairings does not hold pairings")
        }
        let pairings = record.pairings.compactMap(\.pairing)
        guard pairings.count == record.pairings.count else {
            throw PairingStoreError(.damaged, because: "the file of pairings holds what is no pairing")
        }
        var closedUntil: [NearbyAppID: Date] = [:]
        for (app, seconds) in record.closedUntil {
            guard let app = NearbyAppID(app) else {
                throw PairingStoreError(.damaged, because: "the file of pairings names an app that cannot be")
            }
            closedUntil[app] = Date(timeIntervalSince1970: seconds)
        }
        self.init(pairings, closedUntil: closedUntil)
    }

    /// The bytes that a store writes; they hold secret keys.
    var written: [UInt8] {
        get throws(PairingStoreError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let record = PairingBookRecord(
                pairings: all.map { PairingRecord($0) },
                closedUntil: Dictionary(
                    closedUntil.map { ($0.key.rawValue, $0.value.timeIntervalSince1970) }, uniquingKeysWith: max))
            guard let data = try? encoder.encode(record) else {
                throw PairingStoreError(.notWritten, because: "the pairings cannot be written down")
            }
            return Array(data)
        }
    }
}
