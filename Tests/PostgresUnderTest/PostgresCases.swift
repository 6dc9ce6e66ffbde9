import Foundation

/// The cases of tests that need a PostgreSQL server.
///
/// They run where the environment names one by `COUNTERSIGN_TEST_POSTGRES=postgres://…`, as `make test` does. Elsewhere
/// the log has a line for each, as for a test that is disabled, and `make test` counts them by name.
package enum PostgresCases {
    #if PostgreSQL
    package static let areRun = TestSchema.shared != nil
    #else
    package static let areRun = false
    #endif

    /// Why they are not run.
    package static let need = "needs a PostgreSQL server"

    /// Says that a test runs on one store only.
    ///
    /// - Parameter test: The name of the test.
    package static func noteNotRun(of test: String?) {
        guard !areRun, let test else { return }
        print("➜ Test \"\(test) (PostgreSQL)\" skipped: \"\(need)\"")
    }
}
