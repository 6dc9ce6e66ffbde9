internal import FoundationEssentialsCompat

/// The parameters by which a request for sign-in says that a program will act for the person, for one purpose and until an
/// end: `service_purpose`, and `service_until` in seconds since 1970. They are an addition of Countersign.
extension GuestService {
    package static let purposeParameter = "service_purpose"
    package static let endParameter = "service_until"

    /// Reads a purpose that a person or program wrote: one line, cut to a length; `nil` if nothing is left.
    ///
    /// - Parameter text: The text as it arrived.
    public static func purpose(parsing text: String) -> String? {
        DeviceAuthorizationRequest.presentable(text, upTo: longestPurpose)
    }
}

extension Form {
    /// Returns the service that a request is for; `nil` when it names none.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for a purpose without an end, an end without a purpose, a purpose that
    ///   cannot be shown, or an end that is no whole number of seconds.
    package func service() throws(OAuthError) -> GuestService? {
        guard self[GuestService.purposeParameter] != nil || self[GuestService.endParameter] != nil else { return nil }
        _ = try required(GuestService.purposeParameter)
        _ = try required(GuestService.endParameter)
        let purpose = try parsed(GuestService.purposeParameter) { GuestService.purpose(parsing: $0) }
        let end = try parsed(GuestService.endParameter, by: AuthorizationRequest.seconds)
        guard let purpose, let end else { return nil }
        return GuestService(purpose: purpose, ends: Date(named: end))
    }

    /// The form with the service that a request is for.
    ///
    /// - Parameter service: The service; `nil` for none, which leaves the form as it is.
    func naming(_ service: GuestService?) -> Form {
        guard let service else { return self }
        var form = self
        form[GuestService.purposeParameter] = service.purpose
        form[GuestService.endParameter] = service.ends.numericDate.description
        return form
    }
}
