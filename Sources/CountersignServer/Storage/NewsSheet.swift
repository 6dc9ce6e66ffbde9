/// What one change of a store changes, noted while it runs.
package final class NewsSheet {
    package private(set) var noted: [StoreNews] = []

    package init() {}

    package func note(_ news: StoreNews) {
        noted.append(news)
    }
}
