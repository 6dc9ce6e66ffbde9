/// How an app shows a person where to approve: a code on a screen, or a page in a browser.
///
/// Of one sign-in it is called in this order, and never twice at once: `show` once, `replace` for each further page,
/// `dismiss` once, however the sign-in ends. A sign-in that needs nobody calls neither `show` nor `dismiss`.
public protocol SignInPresentation: Sendable {
    /// Puts the page before the person, and returns when it is there.
    func show(_ page: SignInPage) async
    /// Puts another page in the place of the one that is shown, whose code is of no use any more.
    func replace(with page: SignInPage) async
    /// Takes away what is shown: somebody has decided, it failed, or it was cancelled.
    func dismiss() async
    /// Something happened: trouble, and that it has passed.
    func tell(_ event: SignInEvent) async
}

extension SignInPresentation {
    /// Shows nothing of it.
    public func tell(_ event: SignInEvent) async {}
}
