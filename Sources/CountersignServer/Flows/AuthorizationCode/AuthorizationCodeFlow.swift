internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// The authorization code: an app asks by way of a browser, or pushes its request beforehand.
struct AuthorizationCodeFlow: SignInFlow {
    let services: FlowServices

    var returns: [ReturnPage] { [AuthorizePage.returns(services)] }
    var descriptionParts: [[UInt8]] { [PackageResources.pushed_authorization_json] }

    func describe(in metadata: inout AuthorizationServerMetadata) {
        metadata.authorizationEndpoint = services.issuer.appending("authorize")
        metadata.pushedAuthorizationRequestEndpoint = services.issuer.appending("par")
        metadata.requirePushedAuthorizationRequests = false
        metadata.responseTypesSupported = [AuthorizationRequest.responseType]
        metadata.responseModesSupported = AuthorizationRequest.ResponseMode.allCases.map(\.rawValue)
        metadata.promptValuesSupported = AuthorizationRequest.Prompt.allCases.map(\.rawValue)
        metadata.codeChallengeMethodsSupported = [CodeChallenge.method]
        metadata.authorizationResponseIssParameterSupported = true
        metadata.requestParameterSupported = true
        metadata.requestObjectSigningAlgValuesSupported = UnverifiedRequestObject.algorithms
        metadata.requireSignedRequestObject = false
        metadata.requestURIParameterSupported = false
        metadata.claimsParameterSupported = true
        metadata.displayValuesSupported = ["page"]
        metadata.uiLocalesSupported = PageLanguage.allCases.map(\.tag)
    }

    func mountForClients(on router: some RouterMethods<ServerRequestContext>) {
        PushedAuthorizationEndpoint(services: services).mount(on: router)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        AuthorizePage(pages: pages, services: services).mount(on: router)
    }
}
