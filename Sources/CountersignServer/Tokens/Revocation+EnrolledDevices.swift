package import Countersign
internal import CountersignWire
package import FoundationEssentialsCompat

/// The party that removes an enrolled device, which decides what becomes of its sign-in.
package enum DeviceRemover: Sendable {
    /// Its person, who sees the device and its sign-in as one entry.
    case person
    /// The app on it.
    case app
}

extension Revocation {
    /// Removes an enrolled device with all that is kept of it, and the sign-in that belongs to it, and writes that into
    /// the audit.
    ///
    /// A sign-in belongs to its device if a ticket gave it. Any other is the app's own, which had it without a device:
    /// it ends when the person removes the device, and stays when the app does. Requests need nothing:
    /// they wait for the person, and what was to be pushed to the device is dropped when it is its turn.
    ///
    /// - Parameters:
    ///   - device: The device that is removed.
    ///   - remover: The party that removes it.
    ///   - address: The network address of that party; `nil` when there is none.
    ///   - mint: Names the messages about what the person is asked next.
    ///   - now: The current time.
    package func remove(
        _ device: EnrolledDevice,
        askedBy remover: DeviceRemover,
        from address: String?,
        by mint: CodeMint,
        at now: Date
    ) throws {
        let signIn = try device.signIn.flatMap { try repositories.signIns.find($0) }
        if let signIn, signIn.revoked == nil, remover != .app || signIn.isFromTicket {
            try signOut(signIn, from: address, by: mint, at: now)
        }
        // Unless it ended with its sign-in.
        try EnrolledDevices(repositories).forget(
            device, by: .person, client: signIn?.grant.client, from: address, at: now)
    }

    /// Revokes an enrolled device for its person: it ends with its sign-in, and the audit has that act once.
    ///
    /// - Parameters:
    ///   - device: The device that is revoked.
    ///   - administrator: The administrator who revokes it.
    ///   - mint: Names the messages about what the person is asked next.
    ///   - now: The current time.
    package func revoke(
        _ device: EnrolledDevice, as administrator: Administrator, by mint: CodeMint, at now: Date
    ) throws {
        // Before its sign-in, whose end removes it as an act of its own.
        guard try repositories.devices.remove(device.id) else { return }
        let signIn = try device.signIn.flatMap { try repositories.signIns.find($0) }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .deviceRevoked, by: administrator.actor, subject: device.subject,
                client: signIn?.grant.client, detail: administrator.noting(device.shownInAudit)))
        guard let signIn, signIn.revoked == nil else { return }
        try repositories.personCodes.remove(shownBy: signIn.approver)
        try signOut(signIn, as: administrator.actor, by: mint, at: now)
    }
}
