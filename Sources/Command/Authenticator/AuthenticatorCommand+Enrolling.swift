internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The code that a page shows: typed, or read from a picture.
struct ScannedCodeOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The text of the QR code.", valueName: "code"))
    var code: String?

    @Option(
        help: ArgumentHelp("A picture of the QR code, such as a screenshot; 'zbarimg' reads it.", valueName: "file"))
    var picture: String?

    /// The text of the code.
    ///
    /// - Parameter source: The sentence that says where a person finds it.
    private func text(from source: String) throws -> String {
        switch (code, picture) {
        case (let code?, nil): return code
        case (nil, let picture?): return try PictureReader.text(ofCodeIn: picture)
        case (nil, nil):
            if Terminal.givesInput { Terminal.prompt("\(source)\nThe text of the QR code: ") }
            let line = try StandardInput.shared.line()?.trimmingCharacters(in: .whitespaces)
            guard let line, !line.isEmpty else {
                throw CommandError.usage("Say the text of the QR code, or --picture FILE. \(source)")
            }
            return line
        case (_?, _?): throw CommandError.usage("Say the text of the QR code or --picture, not both.")
        }
    }

    /// The message for a code for apps with CM Authenticator SDK 4.0, which names neither its service nor its app.
    static let olderKind = CommandError.usage(
        """
        That code is of the older kind, 'environment,secret', for apps with CM Authenticator SDK 4.0. This terminal takes \
        the kind 'https://…/authenticator/enroll#…', which the same site shows to a person with a device of that kind.
        """
    )

    /// The invitation in the code.
    ///
    /// - Parameter source: The sentence that says where a person finds the code.
    func invitation(from source: String) throws -> CustomerSiteInvitation {
        return try CustomerSiteInvitation(try text(from: source)).or(usage: "That is no code of an authenticator.")
    }
}

/// Reads QR codes in pictures, by a program of the system.
enum PictureReader {
    /// The text of the only QR code in a picture.
    static func text(ofCodeIn picture: String) throws -> String {
        guard FileManager.default.isReadableFile(atPath: picture) else {
            throw CommandError("The file \(picture) cannot be read.")
        }
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        reader.arguments = ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "--", picture]
        let output = Pipe()
        reader.standardOutput = output
        reader.standardError = FileHandle.nullDevice
        try reader.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        reader.waitUntilExit()
        switch reader.terminationStatus {
        case 0: break
        // The status of `env` for a missing program.
        case 127: throw CommandError("Pictures are read by 'zbarimg', which is not installed (Debian: zbar-tools).")
        default: throw CommandError("There is no QR code in \(picture).")
        }
        let codes = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let code = codes.first, codes.count == 1 else {
            throw CommandError("There is more than one QR code in \(picture).")
        }
        return String(code)
    }
}

extension AuthenticatorCommand {
    /// `countersign authenticator enroll`
    struct Enroll: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Enrol this terminal by a QR code, or by the sign-in that it has.",
            discussion: """
                'Add an authenticator' on your account page, /account of the server, shows the code. It is good once, for \
                five minutes, and for a client that has the grant pre-authorized_code ('countersign admin client add'). \
                Without one the sign-in that is kept here is enrolled. For example:

                  countersign authenticator enroll --client authenticator --picture code.png
                """
        )

        @OptionGroup var scanned: ScannedCodeOptions
        @OptionGroup var options: AuthenticatorOptions

        @Flag(help: "Bind the sign-in to a key that stays here.")
        var dpop = false

        /// The place where a person finds the code.
        private static let source = "'Add an authenticator' on your account page, /account of the server, shows it."

        /// The two ways to enrol, for a person who did not say what one of them needs.
        private static let ways = """
            To enrol this terminal by the QR code of your account page ('Add an authenticator' on /account), type:
              countersign authenticator enroll --client CLIENT
            or by a sign-in, without a code:
              countersign signin --issuer ISSUER --client CLIENT --scope "openid offline_access nearby_approve"
              countersign authenticator enroll
            CLIENT is the app that the operator added for this, with the grant pre-authorized_code or device_code and the \
            scope nearby_approve: countersign admin client add
            """

        func output() async throws -> CommandOutput {
            let terminal: EnrolledTerminal
            if scanned.code == nil, scanned.picture == nil, let kept = try await signedIn() {
                terminal = kept
            } else {
                let client = try options.client.or(
                    usage: "Say as which client this terminal is known there: --client\n\(Self.ways)")
                terminal = try await enrolled(by: try scanned.invitation(from: Self.source), as: ClientID(client))
            }
            let registration = try await terminal.approver.register()
            return CommandOutput(
                registration.members, "This terminal is enrolled at \(terminal.approver.issuer.text).")
        }

        /// The terminal by the sign-in that it has; `nil` when it has none.
        private func signedIn() async throws -> EnrolledTerminal? {
            let store = try options.tokens.store()
            return try await options.signIn(in: store).map { try options.terminal(of: $0, in: store) }
        }

        private func enrolled(
            by invitation: CustomerSiteInvitation,
            as client: ClientID
        ) async throws -> EnrolledTerminal {
            guard case .ticket(issuer: let text, let ticket) = invitation else { throw ScannedCodeOptions.olderKind }
            let issuer = try options.server.issuer(text)
            if let expected = try options.issuer.map({ try options.server.issuer($0) }), expected != issuer {
                throw CommandError.usage("That code is of \(issuer.text), not of \(expected.text).")
            }
            let store = try options.tokens.store()
            let key = TokenStoreKey.signIn(at: issuer, as: client)
            guard try await store.signedIn(for: key) == nil else {
                throw CommandError("This terminal is signed in there already. Type: countersign authenticator sign-out")
            }
            let signIn = TicketSignIn(
                at: issuer, as: client, secret: try options.server.secret(), keepingTokensIn: store,
                options: options.server.options(binding: dpop ? .required : .never))
            do {
                _ = try await signIn.redeem(ticket)
            } catch {
                guard error.code == .expired else { throw error }
                throw CommandError("That code was used before, or its time is over. Show a new one.", status: .expired)
            }
            return try options.terminal(of: key, in: store)
        }
    }

    /// `countersign authenticator phone`
    struct Phone: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Register a telephone number, and prove it by the code that comes to it.",
            discussion: """
                For example:

                  countersign authenticator phone +31612345678
                  countersign authenticator phone --code 123456
                """
        )

        @Argument(help: "The number, with + in front.")
        var number: String?

        @Option(help: "The code that came to the number.")
        var code: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let approver = try await options.terminal().approver
            let registration: DeviceRegistration
            switch (number, code) {
            case (let number?, nil): registration = try await register(number, of: approver)
            case (nil, let code?): registration = try await approver.register(verificationCode: code)
            case (nil, nil): registration = try await approver.registration()
            case (_?, _?): throw CommandError.usage("Say the number or the code, not both.")
            }
            return CommandOutput(registration.members, Self.words(for: registration.status))
        }

        private func register(_ text: String, of approver: Approver) async throws -> DeviceRegistration {
            let number: PhoneNumber
            do throws(PhoneNumber.ParsingError) {
                number = try PhoneNumber(text)
            } catch {
                throw CommandError.usage("That number is \(error.rawValue).")
            }
            return try await approver.register(phoneNumber: number)
        }

        private static func words(for status: RegistrationStatus) -> String {
            switch status {
            case .unverified: "No number is verified."
            case .pending: "A code was sent. Type: countersign authenticator phone --code CODE"
            case .verified: "The number is verified."
            }
        }
    }

    /// `countersign authenticator sign-out`
    struct SignOut: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "End the enrolment of this terminal: its sign-in, its key, and what it keeps.",
            discussion: """
                Where the server has ended the sign-in before, what is left here is removed. For example:

                  countersign authenticator sign-out
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let store = try options.tokens.store()
            let remains = try await options.remains(in: store)
            guard remains.isEmpty else { return try await remove(remains, in: store) }
            return try await signOut(try await options.terminal(), in: store)
        }

        /// Removes what is left of enrolments that have ended, and ends one that has not.
        private func remove(
            _ remains: EnrollmentRemains,
            in store: SealedFileTokenStore
        ) async throws -> CommandOutput {
            try await remains.remove()
            guard let key = try await options.signIn(in: store) else { return Self.ended }
            let signing = TokenStoreKey.approverKey(of: ApproverAccount.ID(of: key))
            // Another sign-in, which is no enrolment, stays.
            guard try await store.keys().contains(signing) else { return Self.ended }
            return try await signOut(try options.terminal(of: key, in: store), in: store)
        }

        /// The output where the sign-in had ended before.
        private static var ended: CommandOutput {
            CommandOutput(
                ["removed": true],
                "The sign-in of this terminal had ended before. What was left of the enrolment here is removed.")
        }

        private func signOut(
            _ terminal: EnrolledTerminal,
            in store: SealedFileTokenStore
        ) async throws -> CommandOutput {
            // An unreachable server must not prevent removing the enrolment here.
            try? await terminal.approver.unregister()
            let result: SignOutResult?
            do throws(SignInError) {
                result = try await terminal.refresher.signOut()
            } catch {
                // The server said so only now.
                guard error.code == .signedOut else { throw error }
                result = nil
            }
            try await options.remains(in: store).remove()
            guard let result else { return Self.ended }
            let remainder = result.isRevoked ? "" : " \(result.remainder(at: terminal.approver.issuer.text))"
            return CommandOutput(
                ["revoked": result.isRevoked, "works_until": result.worksUntil],
                "This terminal is signed out.\(remainder)")
        }
    }
}

extension DeviceRegistration {
    /// The registration as JSON.
    var members: OutputMembers { ["device": id.rawValue, "status": status.rawValue, "push": isPushEnabled] }
}
