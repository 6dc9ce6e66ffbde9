import Countersign
import CountersignServer
import CountersignWire

extension CustomerSiteTerms {
    /// Terms with default values where a test does not care.
    static func sample(
        _ digits: Digits = .number(NumberToMatch(DigitsCode(restoring: "right"))),
        of environment: CustomerSiteID
    ) -> CustomerSiteTerms {
        CustomerSiteTerms(
            digits,
            environment: environment,
            secret: CustomerSiteSecretReference(to: CustomerSiteSecret(revealing: "secret")),
            askedNumber: Subject("nobody")
        )
    }
}
