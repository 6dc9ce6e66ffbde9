/// Shows a person where to approve: a code on a screen, or a page in a browser.
///
/// For one sign-in it is called in this order, and never twice at once: `show` once, `replace` for each further page,
/// `dismiss` once, however the sign-in ends. A sign-in that needs no person calls neither `show` nor `dismiss`.
///
/// ```swift
/// struct CodeOnScreen: SignInPresentation {
///     let screen: Screen
///
///     func show(_ page: SignInPage) async {
///         await screen.draw(page.invitation.verificationURI, page.invitation.userCode)
///     }
///
///     func replace(with page: SignInPage) async {
///         await show(page)
///     }
///
///     func dismiss() async {
///         await screen.clear()
///     }
/// }
/// ```
///
/// A presentation that opens a browser on the same device uses ``SignInPage/address(returningTo:)`` instead of the
/// code.
public protocol SignInPresentation: Sendable {
    /// Shows a page, and returns when it is visible.
    ///
    /// - Parameter page: Where the person approves.
    func show(_ page: SignInPage) async
    /// Shows another page instead of the present one, whose code no longer works.
    ///
    /// - Parameter page: Where the person approves from now on.
    func replace(with page: SignInPage) async
    /// Removes the page: the person has decided, or the sign-in failed or was cancelled.
    func dismiss() async
    /// Reports an event, such as a failure and its end.
    ///
    /// - Parameter event: What happened.
    func tell(_ event: SignInEvent) async
}

extension SignInPresentation {
    /// Ignores the event.
    public func tell(_ event: SignInEvent) async {}
}
