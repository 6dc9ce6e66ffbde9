internal import Hummingbird

/// "Sign in with your phone" on the sign-in page: the browser is the screen that asks, and gets a session.
struct BrowserSignInFlow: SignInFlow {
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        BrowserSignInPage(pages: pages, services: services).mount(on: router)
    }
}
