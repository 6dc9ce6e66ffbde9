internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension SignInRequest {
    /// An end of its sign-in, or that of its service if that is earlier; `nil` for none.
    func bounded(_ end: Date?) -> Date? { [end, service?.value.ends].compactMap(\.self).min() }
}

extension Policy {
    /// The service that a request names, if its end is within the bounds; `nil` when the request names none.
    ///
    /// - Parameter now: The current time.
    /// - Throws: ``OAuthError`` `invalid_request` where there are no services, for an end that is over, and for one that is
    ///   later than ``Countersign/Policy/longestService`` allows.
    func bounded(_ service: GuestService?, at now: Date) throws(OAuthError) -> GuestService? {
        guard let service else { return nil }
        guard longestService > 0 else {
            throw OAuthError(.invalidRequest, "no service may act for people here", because: "services are off")
        }
        guard now < service.ends else {
            throw OAuthError(.invalidRequest, "service_until is over", because: "service_until is in the past")
        }
        guard service.ends <= now + longestService else {
            throw OAuthError(
                .invalidRequest, "service_until is more than \(Int(longestService)) seconds ahead",
                because: "service_until is too late")
        }
        return service
    }
}
