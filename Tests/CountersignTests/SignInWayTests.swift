import Countersign
import Testing

@Suite("The ways of a sign-in")
struct SignInWayTests {
    private static let all = Set(SignInWay.allCases)

    private static let demanded: [(Set<ScopeDemands.Demand>, Set<SignInWay>)] = [
        ([], all), ([.password], all), ([.secondFactor], all), ([.deliberate], all), ([.number], all),
        ([.nearby], [.nearby, .browser]), ([.userVerified], [.code, .browser, .push]),
        ([.deviceKey], [.nearby, .push]), ([.nearby, .deviceKey], [.nearby]),
        ([.userVerified, .deviceKey], [.push]), ([.nearby, .userVerified], [.browser]),
        ([.nearby, .userVerified, .deviceKey], []),
    ]

    @Test(arguments: demanded)
    func `are those that can meet every demand`(demands: Set<ScopeDemands.Demand>, ways: Set<SignInWay>) {
        #expect(ScopeDemands(demands).ways == ways)
        #expect(ScopeDemands(demands, within: 60).ways == ways, "whoever signs in again is recent")
    }

    private static let asked: [([AuthenticationClass], Set<SignInWay>)] = [
        ([.passkey], all), ([.number], all), ([.nearby], [.nearby, .browser]), ([.deviceKey], [.nearby, .push]),
        ([.nearby, .deviceKey], [.nearby, .browser, .push]), ([.nearby, .password], all),
    ]

    @Test(arguments: asked)
    func `are those that can reach one of the classes that the client asks for`(
        classes: [AuthenticationClass], ways: Set<SignInWay>
    ) {
        #expect(ScopeDemands.none.reaching(classes).ways == ways)
        #expect(ScopeDemands([.deviceKey]).reaching(classes).ways == ways.intersection([.nearby, .push]))
    }

    @Test func `have the names that requests and answers have`() {
        #expect(SignInWay.allCases.map(\.rawValue) == ["nearby", "browser", "push", "code"])
    }
}
