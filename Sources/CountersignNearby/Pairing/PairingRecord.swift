internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A pairing as it is written down, keys and all.
struct PairingRecord: Codable {
    let app: String
    let role: String
    let ownKey: String
    let peerKey: String
    let peerName: String
    let account: String?
    let made: Double
    let lastUsed: Double

    init(_ pairing: Pairing) {
        app = pairing.app.rawValue
        role = pairing.role.rawValue
        ownKey = URLSafeText.encode(pairing.own.revealedSecret)
        peerKey = URLSafeText.encode(pairing.peer.bytes)
        peerName = pairing.peerName.asSaid
        account = pairing.account
        made = pairing.made.timeIntervalSince1970
        lastUsed = pairing.lastUsed.timeIntervalSince1970
    }

    var pairing: Pairing? {
        guard let app = NearbyAppID(app), let role = Pairing.Role(rawValue: role),
            let own = URLSafeText.decode(ownKey).flatMap({ LinkKeyPair(secret: $0) }),
            let peer = URLSafeText.decode(peerKey).flatMap({ LinkPublicKey($0) }),
            let name = PeerName(peerName)
        else { return nil }
        return Pairing(
            app: app, role: role, own: own, peer: peer, peerName: name, account: account,
            made: Date(timeIntervalSince1970: made), lastUsed: Date(timeIntervalSince1970: lastUsed))
    }
}

extension PairingBook {
    /// Reads what ``written`` wrote.
    init(parsing bytes: [UInt8]) throws(PairingStoreError) {
        guard let records = try? JSONDecoder().decode([PairingRecord].self, from: Data(bytes)) else {
            throw PairingStoreError(.damaged, because: "the file of pairings is no list of pairings")
        }
        let pairings = records.compactMap(\.pairing)
        guard pairings.count == records.count else {
            throw PairingStoreError(.damaged, because: "the file of pairings holds what is no pairing")
        }
        self.init(pairings)
    }

    /// What a store writes down; it holds secret keys.
    var written: [UInt8] {
        get throws(PairingStoreError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            guard let data = try? encoder.encode(all.map { PairingRecord($0) }) else {
                throw PairingStoreError(.notWritten, because: "the pairings cannot be written down")
            }
            return Array(data)
        }
    }
}
