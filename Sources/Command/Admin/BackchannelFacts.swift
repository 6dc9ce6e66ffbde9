internal import ArgumentParser
internal import CountersignServer
internal import CountersignWire

/// The options that describe how a client asks over the back channel (`--grant ciba`).
struct BackchannelFacts: ParsableArguments {
    @Option(
        help: """
            How it learns of decisions over the back channel: poll, ping for a call to its address, or push for the tokens \
            themselves. (default: poll)
            """
    )
    var backChannelDelivery: String?

    @Option(
        help: ArgumentHelp(
            """
            Where the server calls it for ping and push: an https address, or http on this machine. One that is empty \
            takes it away.
            """,
            valueName: "address"
        )
    )
    var backChannelNotificationURI: String?

    @Option(
        help: ArgumentHelp(
            """
            The algorithm by which it has to sign its requests over the back channel: ES256, PS256, RS256, or none for \
            requests that need no signature. (default: none)
            """,
            valueName: "algorithm"
        )
    )
    var backChannelSigning: String?

    @Option(
        help: """
            What it is told of people whom the server does not know: hidden for an answer like any other, or revealed. \
            (default: hidden)
            """
    )
    var backChannelUnknownPeople: String?

    @Option(
        help: """
            Whether it shows a number that the person has to type to approve, at their device or on the page: on or off. \
            (default: off)
            """
    )
    var backChannelNumber: String?

    @Option(
        help: """
            Whether it sends the code that a person chose for such requests (user_code): on or off. (default: off)
            """
    )
    var backChannelUserCode: String?

    /// Applies the given options.
    ///
    /// - Throws: a ``CommandError`` with the reason.
    func apply(to registration: inout BackchannelRegistration) throws {
        try apply(backChannelDelivery, for: "--back-channel-delivery", to: &registration.deliveryMode)
        if let address = backChannelNotificationURI {
            if !address.isEmpty,
                let objection = NotificationAddress.objection(to: address, isSelfRegistered: false)
            {
                throw CommandError.usage("--back-channel-notification-uri \(address): \(objection)")
            }
            registration.notificationEndpoint = address.isEmpty ? nil : address
        }
        let algorithms = UnverifiedRequestObject.algorithms.map { ($0, Optional($0)) } + [("none", nil)]
        if let algorithm = try choice(backChannelSigning, for: "--back-channel-signing", of: algorithms) {
            registration.signingAlgorithm = algorithm
        }
        let visibility = [("hidden", false), ("revealed", true)]
        registration.revealsUnknownPeople =
            try choice(backChannelUnknownPeople, for: "--back-channel-unknown-people", of: visibility)
            ?? registration.revealsUnknownPeople
        let switches = [("on", true), ("off", false)]
        registration.showsNumber =
            try choice(backChannelNumber, for: "--back-channel-number", of: switches) ?? registration.showsNumber
        registration.sendsUserCodes =
            try choice(backChannelUserCode, for: "--back-channel-user-code", of: switches)
            ?? registration.sendsUserCodes
    }
}
