internal import CountersignApprover
internal import CountersignWire
internal import Foundation

extension ApprovalError {
    /// The sentence for a server that refuses the sign-in. A person whose account is locked is not sent to sign in
    /// again.
    static let refusedSignIn =
        "The server does not accept this device any more: it was signed out, or its account is locked. Nothing was decided."

    /// The error in a sentence for the person at a terminal that approves.
    var sentence: String {
        switch code {
        case .unknownIssuer: "The screen asks at a server to which this device is not signed in."
        case .signedOut: Self.refusedSignIn
        case .notPermitted: "The account that is signed in here may not approve: it needs the scope nearby_approve."
        case .expired: "The request has expired."
        case .accountLocked: "The account is locked at the server for now. The data stored here are kept."
        case .nothingToDecide: answered?.sentence ?? "There is nothing to decide any more: the request is over."
        case .digitsNeeded: "The server also needs the digits of that screen."
        case .wrongNumber: "That is not the number that is shown where you started."
        case .policyRefused: "The server's rules do not allow this device to approve that."
        case .notAnswerable: "There is nothing to approve: type the code at the other screen."
        case .notRegistered: "This device is not registered there."
        case .wrongSecret: "The site does not know this device any more. Scan its code again."
        case .wrongCode: "That code is wrong, used or too old."
        case .notTrusted: "The server's certificate could not be verified. Nothing was sent."
        case .storeUnusable: "The data stored on this device can't be read or written."
        case .refused: "The server rejects the signature of this device. Check the device's clock."
        case .keyUnusable: "The key with which this device signs can't be used."
        case .notOffered: "The server does not offer to approve nearby."
        case .busy: "This account has sent too many requests. Try again later."
        case .unreachable: "The server can't be reached; nothing was decided."
        case .outcomeUnknown: "The connection broke before the server said that it is decided. Look at the screen."
        case .badAnswer: "The server's answer can't be understood."
        case .cancelled: "It was cancelled."
        }
    }
}

extension AnswerPlace {
    /// The place and the time in a sentence.
    var sentence: String { "Answered \(self), at \(answered.formatted(date: .omitted, time: .shortened)).".shown }
}
