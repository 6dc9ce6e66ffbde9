package import FoundationEssentialsCompat

/// The requirements for approving a request, fixed at its start and audited when it is taken.
public struct ApprovalTerms: Sendable, Equatable, Codable {
    /// The approval that a link to the request allows.
    public let link: LinkApproval
    /// Whether the asking screen can show a number.
    public let showsNumber: Bool
    /// The demands at the start of the request; `nil` for those of its scope at the decision.
    public let demands: ScopeDemands?
    /// The number that the screen shows to the person who took the request by a link; `nil` before.
    public package(set) var number: NumberToMatch?
    /// Whether it was denied because the person cannot reach the demanded authentication class.
    public package(set) var isUnattainable: Bool
    /// The time when the approval became final, because a party received it that learns of no undo; `nil` before.
    package var delivered: Date?

    /// The time when the client gave the request up; `nil` before. The audit does not tell it of a request that nobody
    /// opened.
    package var cancelled: Date?

    /// The link with a mark that changes each minute; `nil` for a screen with a constant link.
    package var freshLink: FreshLink?

    /// The place and the time of a person's answer; `nil` before, and for a request that no person was asked about.
    package var answer: AnswerRecord?

    /// Whether no message announces the request, which only waits in the inbox. Stored only if true.
    package var isSilent: Bool {
        get { silent == true }
        set { silent = newValue ? true : nil }
    }
    private var silent: Bool?

    /// Whether its addressee started the request, by their code that was typed on the screen. Stored only if true.
    package var isStartedByCode: Bool {
        get { startedByCode == true }
        set { startedByCode = newValue ? true : nil }
    }
    private var startedByCode: Bool?

    /// Whether the number of the screen is for the person whom it remembers, and not for the one who took the request,
    /// because these found it by its code or on the screen's own device. Stored only if true.
    package var isTakerSpared: Bool {
        get { takerSpared == true }
        set { takerSpared = newValue ? true : nil }
    }
    private var takerSpared: Bool?

    /// The screen that asks, if a person was remembered there when the request started; `nil` for none.
    package var screen: RememberedScreenID?

    private enum CodingKeys: String, CodingKey {
        case link, showsNumber, demands, number, delivered, freshLink, silent, answer, startedByCode, takerSpared,
            screen, cancelled
        case isUnattainable = "isUnmet"
    }

    /// Terms without demands; policy decides at the approval.
    public static let standard = ApprovalTerms()
    /// Terms with the demand of nothing.
    package static let usual = ApprovalTerms(demands: ScopeDemands.none)

    /// Creates terms.
    public init(
        link: LinkApproval = .number,
        showsNumber: Bool = false,
        demands: ScopeDemands? = nil,
        number: NumberToMatch? = nil,
        isUnattainable: Bool = false
    ) {
        self.demands = demands
        self.link = link
        self.showsNumber = showsNumber
        self.number = number
        self.isUnattainable = isUnattainable
    }
}

extension ApprovalTerms {
    /// Whether a person has to match the number of the screen however they came, because the request demands it.
    package var wantsNumber: Bool {
        showsNumber && (demands?.contains(.number) == true || demands?.classes.contains(.number) == true)
    }

    /// Whether the number of the screen is for the person who started the request by a code, wherever they answer.
    package var isNumberForStarter: Bool { isStartedByCode && wantsNumber }

    /// The terms as the audit notes them.
    package var audited: String {
        ["link: \(link.rawValue)", demands?.audited].compactMap(\.self).joined(separator: ", ")
    }
}

extension ScopeDemands {
    /// The demands, as the audit notes them; `nil` for none.
    package var audited: String? {
        let after = authenticatedAfter.map { "authenticated after \($0.formatted(.iso8601))" }
        let demanded =
            all.map(\.rawValue) + [recent.map { "recent \($0)" }, after].compactMap(\.self) + classes.map(\.rawValue)
        return demanded.isEmpty ? nil : "demanded: " + demanded.joined(separator: " ")
    }
}

extension LinkDemand {
    /// The extra proof after opening a link, as the audit notes it; `nil` for none.
    package var audited: String? {
        switch self {
        case .nothing: nil
        case .number: "asked for the number of the screen"
        case .code: "asked for the code"
        }
    }
}

/// The outcome of an attempt to take a request.
package enum TakingOutcome: Sendable, Equatable {
    /// It is taken.
    case taken
    /// The link is not enough: the person has to type the code. Nothing is changed.
    case codeWanted
    /// It cannot be taken.
    case refused(TakingError)
}

extension SignInExchangeRecord {
    /// The proof that a person gives by finding a request that is addressed to them.
    package var proofOfAddressee: Evidence.Proof {
        terms.isStartedByCode ? .personCodeTyped : method.proofOfAddressee
    }

    /// The demands on an approval: those of its start or, if it has none, those of its scope now.
    package func demands(under policy: Policy) -> ScopeDemands {
        terms.demands ?? policy.demands(of: exchange.request.scope.value)
    }

    /// The extra proof required after opening a link; none after typing the code or another arrival, unless the request
    /// demands the number of the screen.
    ///
    /// - Parameters:
    ///   - evidence: The person's proofs so far.
    ///   - network: Whether the person is in the network of the screen.
    package func linkDemand(of evidence: Evidence, in network: SameNetwork) -> LinkDemand {
        if terms.wantsNumber, !evidence.matchesNumber { return .number }
        guard evidence.isByLink else { return .nothing }
        return terms.link.demand(in: network, showsNumber: terms.showsNumber)
    }

    /// The number that the requesting screen shows at `now`; `nil` for none.
    package func numberToShow(at now: Date) -> VerificationNumber? {
        guard exchange.taking(at: now) != nil || exchange.request.rememberedPerson != nil || terms.isNumberForStarter
        else { return nil }
        return terms.number?.shown
    }

    /// The number to type for an approval; `nil` for a request without one.
    package var numberToType: NumberToMatch? {
        if let number = terms.number, number.shown != nil { number } else { method.number }
    }
}
