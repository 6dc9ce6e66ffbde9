import Countersign
@testable import CountersignNearby
import CountersignTesting
import Foundation
import Testing

/// Names, requests, pairings and times that tests of links share.
enum Fixture {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    static let instant = ContinuousClock.Instant.now

    static func app(_ text: String = "net.example.player") throws -> NearbyAppID {
        try #require(NearbyAppID(text))
    }

    static func name(_ text: String) throws -> PeerName {
        try #require(PeerName(text))
    }

    static func pairing(
        _ role: Pairing.Role,
        own: LinkKeyPair,
        peer: LinkPublicKey,
        made: Date = noon,
        lastUsed: Date = noon
    ) throws -> Pairing {
        Pairing(
            app: try app(), role: role, own: own, peer: peer,
            peerName: try name(role == .requester ? "Anna's phone" : "Living room"),
            account: nil, made: made, lastUsed: lastUsed)
    }

    /// Both halves of a pairing.
    static func pairings(
        drawingFrom random: RandomSource,
        made: Date = noon
    ) throws -> (requester: Pairing, approver: Pairing) {
        let (tv, phone) = (LinkKeyPair(drawingFrom: random), LinkKeyPair(drawingFrom: random))
        return (
            try pairing(.requester, own: tv, peer: phone.publicKey, made: made),
            try pairing(.approver, own: phone, peer: tv.publicKey, made: made)
        )
    }

    static func bytesRequest(_ purpose: String = "a token for the player") throws -> NearbyRequest {
        .bytes(purpose: try #require(NearbyPurpose(purpose)))
    }

    static func serverRequest(_ random: RandomSource) throws -> NearbyRequest {
        .server(try signInRequest(random))
    }

    static func signInRequest(_ random: RandomSource) throws -> NearbySignInRequest {
        try #require(
            NearbySignInRequest(
                issuer: "https://id.example.net",
                userCode: UserCodeText("WDJB-MJHT"),
                verifier: NearbyVerifier(drawingFrom: random)))
    }
}
