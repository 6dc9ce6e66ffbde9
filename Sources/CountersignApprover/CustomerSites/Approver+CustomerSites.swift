internal import Countersign
public import CountersignWire
internal import HTTPTypes

extension Approver {
    /// The sites that the device is registered in.
    ///
    /// - Returns: The sites; none is no error.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func customerSites() async throws(ApprovalError) -> [CustomerSiteListing] {
        try await client.message(ApproverCall(.get, "environments")).message
    }

    /// Registers the device in a site by the ticket of a scanned code. The same device may do it again.
    ///
    /// - Parameters:
    ///   - site: The site, as the push message or the page with the code names it.
    ///   - ticket: The ticket, as it was scanned.
    /// - Throws: ``ApprovalError``: `wrongCode` for a ticket that is wrong, used, expired or another site's;
    ///   others by network and server.
    public nonisolated func register(
        in site: CustomerSiteID,
        by ticket: EnrollmentTicket
    ) async throws(ApprovalError) {
        let form = CustomerSiteJoinRequest(ticket: ticket).form
        do throws(ApprovalError) {
            try await client.done(ApproverCall(.put, "environments/\(site)", form: form))
        } catch {
            guard error.code == .nothingToDecide else { throw error }
            throw ApprovalError(.wrongCode, because: error.reason)
        }
    }

    /// Registers the device in the site of a scanned code; only the server needs to know the site. The
    /// same device may do it again.
    ///
    /// - Parameter ticket: The ticket, as it was scanned.
    /// - Throws: ``ApprovalError``: `wrongCode` for a ticket that is wrong, used, too old or for no site; others
    ///   by network and server.
    public nonisolated func register(by ticket: EnrollmentTicket) async throws(ApprovalError) -> CustomerSiteListing {
        let form = CustomerSiteJoinRequest(ticket: ticket).form
        do throws(ApprovalError) {
            return try await client.message(ApproverCall(.post, "environments", form: form)).message
        } catch {
            guard error.code == .nothingToDecide else { throw error }
            throw ApprovalError(.wrongCode, because: error.reason)
        }
    }

    /// Ends the registration in a site; it is no error if the device is not registered in it.
    ///
    /// - Parameter site: The site, as ``customerSites()`` lists it.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func unregister(from site: CustomerSiteID) async throws(ApprovalError) {
        var call = ApproverCall(.delete, "environments/\(site)")
        call.mayFindNothing = true
        do throws(ApprovalError) {
            try await client.done(call)
        } catch {
            guard error.code == .notRegistered else { throw error }
        }
    }
}
