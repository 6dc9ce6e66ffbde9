#if PostgreSQL
internal import CountersignServer

/// What one change changes, noted while it runs.
final class NewsSheet {
    private(set) var noted: [StoreNews] = []

    func note(_ news: StoreNews) {
        noted.append(news)
    }
}
#endif
