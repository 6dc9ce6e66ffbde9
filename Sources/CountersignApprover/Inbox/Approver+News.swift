internal import Countersign
internal import CountersignWire

extension Approver {
    /// The pause between questions for the person's devices.
    private static let pauseForDevices = Duration.seconds(600)

    /// Tells undone approvals and new devices, between two polls. What the server does not offer is not told.
    func askForNews(keepingStateIn store: any AuthenticatorStore) async {
        await askForUndone()
        let now = client.clock.instant()
        if let askedForDevices, now - askedForDevices < Self.pauseForDevices { return }
        askedForDevices = now
        for device in (try? await newDevices(keepingStateIn: store)) ?? [] { tell(.newDevice(device)) }
    }

    private func askForUndone() async {
        guard !approvals.all.isEmpty else { return }
        if let decisions = try? await decisions() {
            for decision in decisions where approvals.all.contains(decision.exchange) && decision.outcome.isUndone {
                approvals.remove(decision.exchange)
                tell(.undone(decision))
            }
        }
        approvals.expire(at: client.clock.instant())
    }

    /// The devices of the person that this one did not know. The first time, all are known.
    func newDevices(keepingStateIn store: any AuthenticatorStore) async throws(ApprovalError) -> [DeviceListing] {
        let devices = try await devices()
        let known: Set<DeviceRegistration.ID>? = try await store.message(.devices(of: account))
        let ids = Set(devices.map(\.id))
        if known != ids { try await store.keep(ids, as: .devices(of: account)) }
        guard let known else { return [] }
        return devices.filter { !known.contains($0.id) && !$0.isCurrent }
    }
}

extension AuthenticatorItem {
    /// The devices of the person that the device knows.
    static func devices(of account: ApproverAccount.ID) -> Self { Self("devices \(account)") }
}

extension DecisionListing.Outcome {
    /// Whether the approval was undone, by the person or at the screen.
    fileprivate var isUndone: Bool { self == .undone || self == .undoneAtScreen }
}
