internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Approver {
    /// The pause between questions for the person's devices.
    private static let pauseForDevices = Duration.seconds(600)

    /// Tells undone approvals, new devices and a changed password, between two polls. What the server does not offer is
    /// not told.
    func askForNews(keepingStateIn store: any AuthenticatorStore) async {
        await askForUndone()
        let now = client.clock.instant()
        if let askedForDevices, now - askedForDevices < Self.pauseForDevices { return }
        askedForDevices = now
        guard let news = try? await accountNews(keepingStateIn: store) else { return }
        tell(news)
    }

    /// Tells the changes of the person's account.
    func tell(_ news: AccountNews) {
        for device in news.devices { tell(.newDevice(device)) }
        if let changed = news.passwordChanged { tell(.passwordChanged(changed)) }
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

    /// Asks for the person's devices, and the time of the last change of their password.
    ///
    /// The first time, all is known.
    func accountNews(keepingStateIn store: any AuthenticatorStore) async throws(ApprovalError) -> AccountNews {
        let devices = try await devices()
        let known: Set<DeviceRegistration.ID>? = try await store.message(.devices(of: account))
        let ids = Set(devices.map(\.id))
        if known != ids { try await store.keep(ids, as: .devices(of: account)) }
        let knownChange: Int? = try await store.message(.passwordChange(of: account))
        let change = devices.first { $0.isCurrent }?.passwordChanged ?? 0
        if knownChange != change { try await store.keep(change, as: .passwordChange(of: account)) }
        let isChanged = knownChange != nil && change > 0 && knownChange != change
        return AccountNews(
            devices: known.map { known in devices.filter { !known.contains($0.id) && !$0.isCurrent } } ?? [],
            passwordChanged: isChanged ? Date(named: change) : nil)
    }
}

/// The changes of a person's account that a device did not know.
struct AccountNews: Sendable {
    let devices: [DeviceListing]
    /// The time when the password was changed; `nil` when it was not.
    let passwordChanged: Date?
}

extension AuthenticatorItem {
    /// The devices of the person that the device knows.
    static func devices(of account: ApproverAccount.ID) -> Self { Self("devices \(account)") }
    /// The last change of the person's password that the device knows, in seconds since 1970; 0 for none.
    static func passwordChange(of account: ApproverAccount.ID) -> Self { Self("password change \(account)") }
}

extension DecisionListing.Outcome {
    /// Whether the approval was undone, by the person or at the screen.
    fileprivate var isUndone: Bool { self == .undone || self == .undoneAtScreen }
}
