internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// The time zone of the person who reads the page that answers a request, as soon as it is known who that is.
final class ReaderZone: Sendable {
    /// That of the current request; `nil` outside of one.
    ///
    /// Only ``PageRoutes`` sets it.
    @TaskLocal static var ofRequest: ReaderZone?

    private let known = NIOLockedValueBox<TimeZone?>(nil)

    /// The zone; `nil` until a person is known who chose one.
    var zone: TimeZone? { known.withLockedValue { $0 } }

    /// Notes the person who reads the page; `nil` for a stranger.
    func note(_ person: Person?) {
        guard let zone = person?.timeZone else { return }
        known.withLockedValue { $0 = zone }
    }
}
