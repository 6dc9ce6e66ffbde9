internal import Countersign
internal import CountersignWire

extension ApprovalError {
    /// The error in a sentence for the person: what happened, and what to do next.
    public var sentence: String {
        answered?.sentence ?? obstacle.map { "Nothing was decided. \($0.sentence)" } ?? objection ?? code.sentence
    }
}

extension ApprovalError.Code {
    /// The kind of failure in a sentence for the person: what happened, and what to do next.
    public var sentence: String {
        switch self {
        case .unknownIssuer: "The screen asks at a server to which this device is not signed in. Sign in there first."
        // A refusal does not show whether the sign-in has ended or the account is locked.
        case .signedOut:
            """
            The server does not accept this device any more: it was signed out, or its account is locked. Nothing was \
            decided. Look at your account; if it is open, enrol this device anew.
            """
        case .accountLocked:
            """
            The account is locked at the server for now. The data stored here are kept. Try again later, or ask who runs \
            the server.
            """
        case .notPermitted:
            """
            The account that is signed in here may not approve: it needs the scope nearby_approve. Sign in with that \
            scope.
            """
        case .nothingToDecide:
            "There is no such request, or it is over. Start again where it was asked."
        case .expired: "The request has expired. Start again where it was asked."
        case .digitsNeeded: "The server also needs the digits that the other screen shows. Type them."
        case .wrongNumber: "That is not the number that is shown where you started. Look there, and type it."
        case .refused: "The server rejects the signature of this device. Check the device's clock."
        case .policyRefused:
            "The server's rules do not allow this device to approve that. Use another device, or another way."
        case .notAnswerable: "There is nothing to approve: type the code at the other screen."
        case .notRegistered: "This device is not registered there. Enrol it, or scan the site's code."
        case .wrongSecret: "The site does not know this device any more. Scan its code again."
        case .wrongCode: "That code is wrong, used or too old. Get a new one."
        case .keyUnusable: "The key with which this device signs can't be used. Unlock it, or enrol this device anew."
        case .notOffered: "The server does not offer this. Ask who runs it."
        case .busy: "This account has sent too many requests. Try again later."
        case .unreachable: "The server can't be reached; nothing was decided. Check the network."
        case .notTrusted:
            "The server's certificate could not be verified. Nothing was sent. Check the date, and who runs the network."
        case .storeUnusable:
            "The data stored on this device can't be read or written. Check its free space and its permissions."
        case .outcomeUnknown:
            """
            The connection broke before the server said that it is decided. Look at the other screen, or give the same \
            answer again.
            """
        case .badAnswer: "The server's answer can't be understood. Check its address, or ask who runs it."
        case .cancelled: "It was cancelled. Start again where it was asked."
        }
    }
}

extension AnswerPlace {
    /// The place in a sentence.
    var sentence: String { "Answered \(self). If that was not you, look at the devices of your account." }
}
