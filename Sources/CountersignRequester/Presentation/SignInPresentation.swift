/// Shows a person where to approve: a code on a screen, or a page in a browser.
///
/// During one sign-in its methods are called in this order, and never twice at once: ``show(_:)`` once,
/// ``replace(with:)`` for each further page, ``dismiss()`` once, however the sign-in ends. A sign-in that needs no
/// person calls neither `show` nor `dismiss`.
///
/// ```swift
/// struct Terminal: SignInPresentation {
///     func show(_ page: SignInPage) async {
///         print("Open \(page.invitation.verificationURI) and type \(page.invitation.userCode?.rawValue ?? "nothing")")
///     }
///     func replace(with page: SignInPage) async { await show(page) }
///     func dismiss() async { print("Done.") }
/// }
/// ```
public protocol SignInPresentation: Sendable {
    /// Whether ``tell(_:)`` shows the number of a request, and a link in place of the one before; `false` by default. The
    /// server asks for neither otherwise: without the number, or with an older link, the page could not be used.
    var showsNumbers: Bool { get }

    /// Shows the first page; returns when it is visible.
    ///
    /// - Parameter page: The address and, where one is needed, the code.
    func show(_ page: SignInPage) async

    /// Replaces the current page, whose code is no longer valid, or shows it again after it was hidden.
    ///
    /// - Parameter page: The new address and code.
    func replace(with page: SignInPage) async

    /// Dismisses the page: the person has decided, the sign-in failed, or it was cancelled.
    func dismiss() async

    /// Reports a temporary failure and its end, a number, a new link, and that the page is hidden while a person answers.
    ///
    /// - Parameter event: The event to show.
    func tell(_ event: SignInEvent) async
}

extension SignInPresentation {
    /// No.
    public var showsNumbers: Bool { false }

    /// Shows nothing of it.
    public func tell(_ event: SignInEvent) async {}
}
