import Countersign
import CountersignWire
import Foundation

@testable import CountersignServer

/// The records of a request in which everything happened that can happen, for pure functions and pages.
enum SampleRequest {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    static let anna = Subject("anna")

    /// The records, with one text wherever a text goes.
    static func records(named text: String, isSwept: Bool = false) throws -> RequestRecords {
        let request = SignInRequest(
            id: SignInRequest.ID("request"),
            client: .asserted(ClientID("tv")),
            scope: .verified(Scope([.openid])),
            address: .observed(text),
            deviceName: .asserted(text),
            software: .asserted(text),
            asked: .observed(noon),
            deadline: noon + 600
        )
        var exchange = SignInExchange(request: request)
        let approver = ApproverIdentity(subject: anna, id: ApproverID("browser"))
        try exchange.take(by: approver, proving: Evidence(proofs), at: noon)
        let grant = Grant(
            id: Grant.ID("grant"), subject: anna, client: ClientID("tv"), scope: Scope([.openid]),
            evidence: Evidence(proofs), approved: noon)
        try exchange.record(.approve(grant), by: approver, at: noon)
        return RequestRecords(
            id: request.id,
            exchange: isSwept
                ? nil
                : SignInExchangeRecord(
                    exchange: exchange, requestCode: SecretDigest(of: "device code"),
                    method: .deviceCode(UserCodeDigest(restoring: [])), interval: 5),
            signIn: nil,
            entries: entries(text),
            deliveries: deliveries,
            client: client(text),
            domain: nil,
            signer: nil,
            placeNames: [.device(DeviceRegistration.ID("d1")): text, .client(ClientID("phone")): text],
            people: [:]
        )
    }

    /// Every kind of proof.
    static let proofs: [Evidence.Proof] = [
        .accountPassword(at: noon), .secondFactor(.oneTimePassword, at: noon), .passkey(at: noon),
        .userVerified(at: noon), .enrolledDevice(at: noon), .codeTyped, .linkOpened, .knownBrowser, .signedInBefore,
        .namedByClient, .redirected, .decisionSigned, .numberMatched, .nearby(how: .code, sameNetwork: .yes),
    ]

    private static func entries(_ text: String) -> [AuditEntry] {
        let acts: [(AuditAct, AuditActor, String?)] = [
            (.seen, .person, "on device d1"), (.seen, .person, "in app phone"),
            (.taken, .person, "code_typed, asked for the number of the screen"), (.taken, .person, "link_opened"),
            (.taken, .person, nil), (.numberMissed, .person, "older dialect"), (.refused, .person, "not nearby"),
            (.approved, .person, "by the link in a text message"), (.approved, .server, nil), (.denied, .person, nil),
            (.denied, .person, ApprovalNote.lastMiss), (.denied, .person, ApprovalNote.unmet), (.denied, .server, nil),
            (.reported, .person, nil), (.withdrawn, .client, nil), (.withdrawn, .person, "undone on device d1"),
            (.signedOut, .client, "undone at the screen"), (.signedOut, .person, "undone"),
            (.signedOut, .operator, nil), (.signedOut, .server, nil), (.otherLink, .client, nil),
            (.signedIn, .client, nil), (.redemptionRefused, .client, nil), (.refreshTokenReused, .client, nil),
            (.decisionNotDelivered, .server, nil), (.muteAdded, .person, nil),
        ]
        var place = AuditPosition.beginning
        return acts.map { act, actor, detail in
            let facts = AuditEntry.Facts(
                at: noon + 1, act, by: actor, subject: anna, client: ClientID("tv"),
                request: SignInRequest.ID("request"), address: text, detail: detail)
            let entry = AuditEntry(facts, after: place)
            place = entry.place
            return entry
        }
    }

    private static var deliveries: [Delivery] {
        let states: [Delivery.State] = [.waiting, .delivered(noon), .failed(.rejected, at: noon)]
        return states.map { state in
            Delivery(
                id: Delivery.ID("delivery"), .webhook(CustomerSiteID("site"), AuthenticationRequest.ID("request")),
                about: SignInRequest.ID("request"), made: noon, expires: noon + 60, state: state)
        }
    }

    private static func client(_ name: String) -> Client {
        Client(
            id: ClientID("tv"), name: name, kind: .public, grantTypes: [.deviceCode], scope: Scope([.openid]),
            tokenFormat: .opaque, created: noon)
    }
}
