/// An enrolled device joins a site by the ticket in a QR code.
package struct CustomerSiteJoinRequest: Sendable, Equatable {
    package let ticket: EnrollmentTicket

    /// Creates a request to send.
    package init(ticket: EnrollmentTicket) { self.ticket = ticket }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the parameter is missing.
    package init(form: Form) throws(OAuthError) { ticket = EnrollmentTicket(revealing: try form.required("ticket")) }

    /// The form that a device sends.
    package var form: Form { ["ticket": ticket.revealed] }
}

/// A person mutes prompts for a while.
package struct AuthenticatorQuietRequest: Sendable, Equatable {
    /// The longest time, in seconds: a day.
    package static let longest = 86_400

    /// The length of the silence from now on, in seconds, 0 to ``longest``; 0 ends it.
    package let seconds: Int

    /// Creates a request to send.
    package init(seconds: Int) { self.seconds = min(max(seconds, 0), Self.longest) }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the parameter is missing, no whole number, or out of range.
    package init(form: Form) throws(OAuthError) {
        let text = try form.required("seconds")
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(text), seconds <= Self.longest
        else { throw OAuthError(.invalidRequest, "seconds are 0 to 86400", because: "malformed seconds") }
        self.seconds = seconds
    }

    /// The form that a device sends.
    package var form: Form { ["seconds": String(seconds)] }
}
