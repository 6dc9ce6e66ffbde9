internal import Countersign
public import CountersignWire
internal import HTTPTypes

extension Approver {
    /// The devices that answer requests for the person, this one among them.
    ///
    /// - Returns: The devices, the oldest first.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func devices() async throws(ApprovalError) -> [DeviceListing] {
        try await client.message(ApproverCall(.get, "devices")).message
    }

    /// Gives a device of the person a distinguishing name.
    ///
    /// - Parameters:
    ///   - device: One of ``devices()``.
    ///   - name: The name; at most 64 characters of it are stored, and an empty one removes it.
    /// - Throws: ``ApprovalError``: `notRegistered` when the person has no such device, `refused` when this device was
    ///   never registered; others by network and server.
    public nonisolated func rename(_ device: DeviceRegistration.ID, to name: String) async throws(ApprovalError) {
        var call = ApproverCall(.put, "devices/\(device)", form: DeviceNameRequest(name: name).form)
        // A form leaves out what is empty, and a call without a body has no type.
        if call.body.isEmpty { call.body = Array("name=".utf8) }
        call.mayFindNothing = true
        try await client.done(call)
    }

    /// Revokes a device of the person, such as one that is lost: it answers nothing any more, and its app is signed
    /// out.
    ///
    /// - Parameter device: One of ``devices()``. This one may be revoked, too; ``unregister()`` also forgets it here.
    /// - Throws: ``ApprovalError``: `notRegistered` when the person has no such device, `refused` when this device was
    ///   never registered; others by network and server.
    public nonisolated func revoke(_ device: DeviceRegistration.ID) async throws(ApprovalError) {
        var call = ApproverCall(.delete, "devices/\(device)")
        call.mayFindNothing = true
        try await client.done(call)
    }
}
