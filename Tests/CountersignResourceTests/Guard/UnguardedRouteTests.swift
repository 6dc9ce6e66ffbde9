import Countersign
import CountersignResource
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("A route without a guard")
struct UnguardedRouteTests {
    @Test func `fails when it asks who asks, whatever the request shows`() async throws {
        let router = Router(context: BasicResourceRequestContext.self)
        router.get("open") { _, context in "\(try context.requireToken().client?.rawValue ?? "-")" }
        try await Application(router: router).test(.router) { client in
            let answer = try await client.execute(
                uri: "/open",
                method: .get,
                headers: [.authorization: "Bearer of-anna"]
            )
            #expect(answer.status == .internalServerError)
        }
    }
}
