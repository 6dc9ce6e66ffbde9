internal import ArgumentParser
internal import CountersignServer

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

    /// The texts of the options.
    var texts: KeyValuePairs<ClientMember, String?> {
        [
            .backChannelDelivery: backChannelDelivery, .backChannelNotificationURI: backChannelNotificationURI,
            .backChannelSigning: backChannelSigning, .backChannelUnknownPeople: backChannelUnknownPeople,
            .backChannelNumber: backChannelNumber, .backChannelUserCode: backChannelUserCode,
        ]
    }
}
