import Countersign
import CountersignSQLite
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases
import NIOConcurrencyHelpers
import Testing

@Suite("A server that is killed while it works")
struct KilledServerTests {
    /// The answers over all lives of the server.
    private struct Answered: Sendable {
        var accessTokens: [SecretDigest] = []
        var deviceCodes: [SecretDigest] = []
        /// Codes whose tokens arrived, and the answers.
        var redeemed: [(code: DeviceCode, answer: [UInt8])] = []
        /// The last refresh token of each chain that arrived.
        var chains: [RefreshToken?] = [nil, nil]

        var count: Int { accessTokens.count + deviceCodes.count + redeemed.count }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `fifty times keeps its word about all that it had answered`(database: DatabaseKind) async throws {
        try await DatabaseFixture.with(database, killAgainAndAgain)
    }

    private func killAgainAndAgain(_ fixture: DatabaseFixture) async throws {
        let store = fixture.store
        let answered = NIOLockedValueBox(Answered())
        var asked: [SignInExchangeRecord] = []

        for life in 0..<50 {
            let codes = (0..<12).map { _ in fixture.approved() }
            asked += codes.map(\.exchange)
            try await store.change { repositories in
                for code in codes { try repositories.exchanges.insert(code.exchange) }
            }
            let server = try await ServerProcess.start(on: fixture, flags: LimitRule.allOff)
            // A code that was redeemed before is spent: the same answer for some seconds, and then none.
            if let (spent, first) = answered.withLockedValue(\.redeemed).last {
                let again = try await server.post("/token", fixture.redemption(of: spent))
                #expect(again.body == first || again.error == .invalidGrant)
            }
            let load = Task { await work(on: server, fixture, redeeming: codes.map(\.code), answered) }
            // Each life ends after another number of answers, in the middle of whatever is going on then.
            let enough = answered.withLockedValue(\.count) + 8 + life * 7 % 40
            while answered.withLockedValue(\.count) < enough { try await Task.sleep(for: .milliseconds(1)) }
            server.kill()
            await load.value

            _ = try await store.read { try Audit($0).verify() }
        }

        let all = answered.withLockedValue { $0 }
        #expect(all.count > 1_000)
        let lost = try await store.read { repositories in
            (
                try all.accessTokens.filter { try repositories.accessTokens.find($0) == nil }.count,
                try all.deviceCodes.filter { try repositories.exchanges.find($0) == nil }.count,
                try all.redeemed.filter { code, _ in
                    guard case .redeemed = try repositories.exchanges.find(code.digest)?.exchange.state else {
                        return true
                    }
                    return false
                }.count
            )
        }
        #expect(lost == (0, 0, 0))

        // Each was redeemed once at the most, and those that were have a sign-in and an entry each.
        let spent = try await store.read { [asked] repositories in
            try asked.filter { exchange in
                guard case .redeemed = try repositories.exchanges.find(exchange.id)?.exchange.state else {
                    return false
                }
                return try repositories.signIns.find(exchange.exchange.grant?.id ?? Grant.ID("")) != nil
            }.map(\.id)
        }
        let audited = try await store.read { repositories in
            try repositories.audit.entries(after: 0, limit: 1_000_000).filter { $0.facts.act == .signedIn }
                .compactMap(\.facts.request)
        }
        #expect(audited.sorted { $0.rawValue < $1.rawValue } == spent.sorted { $0.rawValue < $1.rawValue })
    }

    /// Asks for everything at once until the server is gone.
    private func work(
        on server: ServerProcess,
        _ fixture: DatabaseFixture,
        redeeming codes: [DeviceCode],
        _ answered: NIOLockedValueBox<Answered>
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while let answer = try? await server.post("/token", fixture.clientCredentials) {
                        guard let tokens = try? answer.read(TokenResponse.self) else {
                            Issue.record("no tokens: \(String(decoding: answer.body, as: UTF8.self))")
                            break
                        }
                        answered.withLockedValue { $0.accessTokens.append(tokens.accessToken.digest) }
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    while let answer = try? await server.post("/device_authorization", DatabaseFixture.start) {
                        guard let codes = try? answer.read(DeviceAuthorizationResponse.self) else {
                            Issue.record("no codes: \(String(decoding: answer.body, as: UTF8.self))")
                            break
                        }
                        answered.withLockedValue { $0.deviceCodes.append(codes.deviceCode.digest) }
                    }
                }
            }
            for chain in 0..<2 {
                group.addTask { await renew(chain, codes[chain], on: server, fixture, answered) }
            }
            group.addTask {
                var rest = codes.dropFirst(2)
                while let code = rest.popFirst(),
                    let answer = try? await server.post("/token", fixture.redemption(of: code))
                {
                    #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
                    if answer.status == 200 { answered.withLockedValue { $0.redeemed.append((code, answer.body)) } }
                }
            }
        }
    }

    /// Renews one chain of refresh tokens again and again; the last one that arrived must always be good for the next,
    /// because the answer that was lost with the server is given again.
    private func renew(
        _ chain: Int,
        _ code: DeviceCode,
        on server: ServerProcess,
        _ fixture: DatabaseFixture,
        _ answered: NIOLockedValueBox<Answered>
    ) async {
        func next() -> Form {
            answered.withLockedValue { $0.chains[chain] }.map { fixture.refresh(of: $0) }
                ?? fixture.redemption(of: code)
        }
        while let answer = try? await server.post("/token", next()) {
            guard let token = try? answer.read(TokenResponse.self).refreshToken else {
                Issue.record("chain \(chain) broke: \(String(decoding: answer.body, as: UTF8.self))")
                return
            }
            answered.withLockedValue { $0.chains[chain] = token }
        }
    }
}
