/// The content of one page for its template.
///
/// A page holds stored properties only, because the templates see nothing else. Templates look up a name that is `nil`
/// in the enclosing frame, so no two levels may share a name. A page of a person who is signed in has their name as
/// `personName`, and as `formToken` the field `form_token` of its forms.
protocol Page: Sendable {
    /// The template.
    static var template: PageTemplate { get }
    /// The title without the service's name.
    var title: LocalizedText { get }
    /// Whether it shows times, which a script shows in the zone of the browser where the person chose none.
    static var showsTimes: Bool { get }
}

extension Page {
    static var showsTimes: Bool { false }
}

/// The templates, by their file names in `Templates`.
enum PageTemplate: String, Sendable, CaseIterable {
    case account, accountDeletion, accountExport, actionLink, admin
    case browserSignIn, browserSignInContinue, browserSignInOutcome
    case codeEntry, confirm, confirmation, consent, domainCredential, domainForm,
        domains, email, endSession, enrollment, enrollmentArrival
    case forgottenPassword, forgottenPasswordWait, invitation, invitationPasskey
    case leaving, linkArrival, linkOutcome, login, mail, oneTimePasswordSetup, passkeyAddition, password, passwordReset,
        personCode,
        postedAnswer, recoveryCodes,
        requestHistory,
        result,
        secondFactor, siteCode, siteForm, sites, siteSecret, timeZone
    case errorPage
    // Parts of others.
    case adminFact, adminField, adminForm, adminNavigation
    case delay, fact, layout, mark, newPasswordFields, passkeysElsewhere, permissions, personCodeField, problem,
        question, screen, script, source

    /// The embedded text.
    var text: String {
        let bytes =
            switch self {
            case .account: PackageResources.account_mustache
            case .accountDeletion: PackageResources.accountDeletion_mustache
            case .accountExport: PackageResources.accountExport_mustache
            case .actionLink: PackageResources.actionLink_mustache
            case .admin: PackageResources.admin_mustache
            case .adminFact: PackageResources.adminFact_mustache
            case .adminField: PackageResources.adminField_mustache
            case .adminForm: PackageResources.adminForm_mustache
            case .adminNavigation: PackageResources.adminNavigation_mustache
            case .browserSignIn: PackageResources.browserSignIn_mustache
            case .browserSignInContinue: PackageResources.browserSignInContinue_mustache
            case .browserSignInOutcome: PackageResources.browserSignInOutcome_mustache
            case .codeEntry: PackageResources.codeEntry_mustache
            case .confirm: PackageResources.confirm_mustache
            case .confirmation: PackageResources.confirmation_mustache
            case .consent: PackageResources.consent_mustache
            case .delay: PackageResources.delay_mustache
            case .domainCredential: PackageResources.domainCredential_mustache
            case .domainForm: PackageResources.domainForm_mustache
            case .domains: PackageResources.domains_mustache
            case .email: PackageResources.email_mustache
            case .endSession: PackageResources.endSession_mustache
            case .enrollment: PackageResources.enrollment_mustache
            case .enrollmentArrival: PackageResources.enrollmentArrival_mustache
            case .fact: PackageResources.fact_mustache
            case .forgottenPassword: PackageResources.forgottenPassword_mustache
            case .forgottenPasswordWait: PackageResources.forgottenPasswordWait_mustache
            case .invitation: PackageResources.invitation_mustache
            case .invitationPasskey: PackageResources.invitationPasskey_mustache
            case .layout: PackageResources.layout_mustache
            case .leaving: PackageResources.leaving_mustache
            case .linkArrival: PackageResources.linkArrival_mustache
            case .linkOutcome: PackageResources.linkOutcome_mustache
            case .login: PackageResources.login_mustache
            case .mail: PackageResources.mail_mustache
            case .mark: PackageResources.mark_mustache
            case .newPasswordFields: PackageResources.newPasswordFields_mustache
            case .oneTimePasswordSetup: PackageResources.oneTimePasswordSetup_mustache
            case .passkeyAddition: PackageResources.passkeyAddition_mustache
            case .password: PackageResources.password_mustache
            case .passwordReset: PackageResources.passwordReset_mustache
            case .passkeysElsewhere: PackageResources.passkeysElsewhere_mustache
            case .permissions: PackageResources.permissions_mustache
            case .personCode: PackageResources.personCode_mustache
            case .personCodeField: PackageResources.personCodeField_mustache
            case .postedAnswer: PackageResources.postedAnswer_mustache
            case .problem: PackageResources.problem_mustache
            case .question: PackageResources.question_mustache
            case .recoveryCodes: PackageResources.recoveryCodes_mustache
            case .requestHistory: PackageResources.requestHistory_mustache
            case .result: PackageResources.result_mustache
            case .screen: PackageResources.screen_mustache
            case .script: PackageResources.script_mustache
            case .secondFactor: PackageResources.secondFactor_mustache
            case .siteCode: PackageResources.siteCode_mustache
            case .siteForm: PackageResources.siteForm_mustache
            case .sites: PackageResources.sites_mustache
            case .siteSecret: PackageResources.siteSecret_mustache
            case .source: PackageResources.source_mustache
            case .timeZone: PackageResources.timeZone_mustache
            case .errorPage: PackageResources.errorPage_mustache
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}
