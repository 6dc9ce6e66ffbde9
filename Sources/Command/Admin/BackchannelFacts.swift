internal import ArgumentParser
internal import CountersignServer
internal import CountersignWire

/// The options that describe how a client asks over the back channel (`--grant ciba`).
struct BackchannelFacts: ParsableArguments {
    @Option(
        name: .long,
        help: """
            How it learns of decisions over the back channel: poll, ping for a call to its address, or push for the tokens \
            themselves. (default: poll)
            """
    )
    var backChannelDelivery: String?

    @Option(
        name: .long,
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
        name: .long,
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
        name: .long,
        help: """
            What it is told of people whom the server does not know: hidden for an answer like any other, or revealed. \
            (default: hidden)
            """
    )
    var backChannelUnknownPeople: String?

    @Option(
        name: .long,
        help: """
            Whether it shows a number that the person has to type to approve, at their device or on the page: on or off. \
            (default: off)
            """
    )
    var backChannelNumber: String?

    @Option(
        name: .long,
        help: """
            Whether it sends the code that a person chose for such requests (user_code): on or off. (default: off)
            """
    )
    var backChannelUserCode: String?

    /// Applies the options that were given.
    ///
    /// - Throws: a ``Failure`` that says what is wrong.
    func apply(to registration: inout BackchannelRegistration) throws {
        if let backChannelDelivery {
            guard let mode = BackchannelDeliveryMode(rawValue: backChannelDelivery) else {
                throw Failure("--back-channel-delivery is poll, ping or push.", status: .usage)
            }
            registration.deliveryMode = mode
        }
        if let address = backChannelNotificationURI {
            if !address.isEmpty,
                let objection = NotificationAddress.objection(to: address, isSelfRegistered: false)
            {
                throw Failure("--back-channel-notification-uri \(address): \(objection)", status: .usage)
            }
            registration.notificationEndpoint = address.isEmpty ? nil : address
        }
        if let backChannelSigning {
            guard backChannelSigning == "none" || UnverifiedRequestObject.algorithms.contains(backChannelSigning) else {
                throw Failure("--back-channel-signing is ES256, PS256, RS256 or none.", status: .usage)
            }
            registration.signingAlgorithm = backChannelSigning == "none" ? nil : backChannelSigning
        }
        switch backChannelUnknownPeople {
        case nil: break
        case "hidden": registration.revealsUnknownPeople = false
        case "revealed": registration.revealsUnknownPeople = true
        default: throw Failure("--back-channel-unknown-people is hidden or revealed.", status: .usage)
        }
        switch backChannelNumber {
        case nil: break
        case "on": registration.showsNumber = true
        case "off": registration.showsNumber = false
        default: throw Failure("--back-channel-number is on or off.", status: .usage)
        }
        switch backChannelUserCode {
        case nil: break
        case "on": registration.sendsUserCodes = true
        case "off": registration.sendsUserCodes = false
        default: throw Failure("--back-channel-user-code is on or off.", status: .usage)
        }
    }
}
