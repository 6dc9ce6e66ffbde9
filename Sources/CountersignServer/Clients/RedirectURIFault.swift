/// The problem of a redirect URI; its description is an English sentence.
package enum RedirectURIFault: Sendable, Equatable, CustomStringConvertible {
    /// It is empty, or has more bytes than this.
    case tooLong(Int)
    case badlySpelled, noScheme, badScheme
    /// There is no host after this scheme.
    case noHost(String)
    case badHost, plainHTTP

    package var description: String { shown.english }
}

extension RedirectURIFault {
    /// The fault as a page shows it.
    var shown: LocalizedText {
        switch self {
        case .tooLong(let most): .text(.addressTooLong, ["most": .verbatim("\(most)")])
        case .badlySpelled: .text(.addressBadlySpelled)
        case .noScheme: .text(.addressNoScheme)
        case .badScheme: .text(.addressBadScheme)
        case .noHost(let scheme): .text(.addressNoHost, ["scheme": .verbatim(scheme)])
        case .badHost: .text(.addressBadHost)
        case .plainHTTP: .text(.addressPlainHTTP)
        }
    }
}
